// Closed forms of the unaware and aware networks, in both semantics.
#include <gtest/gtest.h>

#include <deque>

#include "net/backend.h"

namespace tutti::net {
namespace {

struct Sent {
  std::uint32_t from, to;
  std::uint64_t bytes;
  std::int64_t at_ns = 0;
};

class Bed {
 public:
  Bed(const std::string& text, const char* backend_name, bool astra, std::int64_t mtu = 4096)
      : network_(backend(backend_name).make(simulation_, parse_network_file(text, "n"), {astra, Bytes(mtu)})) {}

  /// Arrival times in ns, in order of `all`.
  std::vector<double> arrivals(const std::vector<Sent>& all) {
    messages_.clear();
    times_.assign(all.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto& m = messages_.emplace_back(*this, i);
      m.source = all[i].from;
      m.destination = all[i].to;
      m.bytes = all[i].bytes;
      m.sent = [](Message&) {};
      m.delivered = [](Message& x) {
        auto& t = static_cast<Timed&>(x);
        t.bed->times_[t.index] = t.bed->simulation_.now().ns();
      };
      simulation_.at(Time::ns(all[i].at_ns), m.start);
    }
    simulation_.run();
    return times_;
  }
  Backend& network() { return *network_; }

 private:
  struct Timed : Message {
    Timed(Bed& b, std::size_t i) : bed(&b), index(i), start(*this) {}
    void go() { bed->network_->send(*this); }
    Bed* bed;
    std::size_t index;
    sim::MemberEvent<Timed, &Timed::go> start;
  };
  sim::Simulation simulation_;
  std::unique_ptr<Backend> network_;
  std::deque<Timed> messages_;
  std::vector<double> times_;
};

std::string text(const std::string& shapes, const std::string& sizes, const std::string& rates,
                 const std::string& latencies) {
  return "topology: [" + shapes + "]\nnpus_count: [" + sizes + "]\nbandwidth: [" + rates + "]\nlatency: [" + latencies +
         "]\n";
}
constexpr std::uint64_t MiB = 1 << 20;

TEST(Unaware, InAstraSemanticsChargesTheLowestDifferingDimensionOnly) {
  Bed bed(text("Ring, Switch", "4, 2", "100.0, 50.0", "100.0, 500.0"), "unaware", true);
  EXPECT_EQ(bed.arrivals({{0, 1, MiB}, {0, 2, MiB}, {0, 3, MiB}, {0, 4, MiB}, {0, 5, MiB}}),
            (std::vector<double>{9865, 9965, 9865, 20531, 9865}));
}

TEST(Unaware, ByDefaultSumsTheLatenciesAndSerializesAtTheNarrowestRate) {
  Bed bed(text("Ring, Switch", "4, 2", "80 Gbps, 40 Gbps", "100ns, 500ns"), "unaware", false);
  // 10 and 5 bytes a ns: 1000 bytes take 100 or 200 ns.
  EXPECT_EQ(bed.arrivals({{0, 1, 1000}, {0, 2, 1000}, {0, 4, 1000}, {0, 5, 1000}, {0, 0, 1000}, {0, 5, 0}}),
            (std::vector<double>{200, 300, 1200, 1300, 0, 1100}));
}

TEST(Aware, InAstraSemanticsStoresAndForwardsWholeMessages) {
  Bed ring(text("Ring", "8", "50.0", "500.0"), "aware", true);
  EXPECT_EQ(ring.arrivals({{0, 1, MiB}}), std::vector<double>{20031});
  Bed four(text("Ring", "8", "50.0", "500.0"), "aware", true);
  EXPECT_EQ(four.arrivals({{0, 4, MiB}}), std::vector<double>{80124});
  Bed sw(text("Switch", "8", "50.0", "500.0"), "aware", true);
  EXPECT_EQ(sw.arrivals({{0, 1, MiB}}), std::vector<double>{40062});
  Bed both(text("Ring, Switch", "4, 2", "100.0, 50.0", "100.0, 500.0"), "aware", true);
  EXPECT_EQ(both.arrivals({{0, 5, MiB}}), std::vector<double>{9865 + 2 * 20031});
}

TEST(Aware, InAstraSemanticsALinkServesInOrderOfArrival) {
  Bed bed(text("FullyConnected", "4", "50.0", "500.0"), "aware", true);
  // Each holds the link for trunc(19531.25) ns.
  EXPECT_EQ(bed.arrivals({{0, 1, MiB}, {0, 1, MiB}, {0, 2, MiB}}), (std::vector<double>{20031, 19531 + 20031, 20031}));
}

TEST(Aware, ARingOfTwoHasOneLinkEachWay) {
  Bed bed(text("Ring", "2", "50.0", "500.0"), "aware", true);
  EXPECT_EQ(bed.arrivals({{0, 1, MiB}, {1, 0, MiB}}), (std::vector<double>{20031, 20031}));
  ASSERT_EQ(bed.network().links().size(), 2U);
  EXPECT_EQ(bed.network().links()[0].id, "dim0: 0 -> 1");
}

TEST(Aware, CutThroughPaysOneSerializationAndAPacketForEachFurtherHop) {
  // 10 bytes a ns, 100 ns a hop, packets of 500 bytes.
  for (std::uint64_t hops = 1; hops <= 4; ++hops) {
    Bed bed(text("Ring", "8", "80 Gbps", "100ns"), "aware", false, 500);
    const double expected = static_cast<double>(hops * 100 + (hops - 1) * 50 + 1000);
    EXPECT_EQ(bed.arrivals({{0, static_cast<std::uint32_t>(hops), 10000}}), std::vector<double>{expected});
  }
  Bed small(text("Switch", "4", "80 Gbps", "100ns"), "aware", false, 500);
  EXPECT_EQ(small.arrivals({{0, 1, 100}}), std::vector<double>{2 * 100 + 2 * 10});  // one packet only
}

TEST(Aware, CutThroughIntoASlowerLinkIsPacedByItAndIntoAFasterOneByTheTail) {
  // 0 -> 1 -> 3 on a 2 x 2 machine: dimension 0 at 10 bytes a ns, dimension 1 at 5, and the other way round.
  Bed slower(text("Ring, Ring", "2, 2", "80 Gbps, 40 Gbps", "100ns, 100ns"), "aware", false, 500);
  EXPECT_EQ(slower.arrivals({{0, 3, 10000}}), std::vector<double>{50 + 100 + 2000 + 100});
  Bed faster(text("Ring, Ring", "2, 2", "40 Gbps, 80 Gbps", "100ns, 100ns"), "aware", false, 500);
  // The tail is at rank 1 after 2000 + 100; its last packet takes another 50 on the fast link.
  EXPECT_EQ(faster.arrivals({{0, 3, 10000}}), std::vector<double>{2000 + 100 + 50 + 100});
}

TEST(Aware, CutThroughSharesALinkInOrderOfFirstPackets) {
  Bed bed(text("Switch", "4", "80 Gbps", "100ns"), "aware", false, 500);
  // Both head for rank 2: the second enters the switch's link when the first has left it.
  EXPECT_EQ(bed.arrivals({{0, 2, 10000}, {1, 2, 10000, 1}}), (std::vector<double>{1250, 2250}));
  const auto links = bed.network().links();
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[1].id, "dim0: 1 -> switch");
  EXPECT_EQ(links[2].id, "dim0: switch -> 2");
  EXPECT_EQ(links[2].bytes, 20000U);
  EXPECT_EQ(links[2].busy, Time::ns(2000));
}

TEST(Backends, AnUnknownNameListsTheKnownOnes) {
  try {
    backend("awre");
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("known: unaware, aware"), std::string::npos);
  }
}

}  // namespace
}  // namespace tutti::net
