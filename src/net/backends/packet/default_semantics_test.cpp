#include <gtest/gtest.h>

#include "base/error.h"
#include "net/backends/packet/network.h"

namespace tutti::net::packet {
namespace {

using Kind = Packet::Kind;

struct Ends final : FlowListener {
  explicit Ends(sim::Simulation& s) : simulation(s) {}
  void delivered(Flow&) override { arrived = simulation.now(), ++arrivals; }
  void acknowledged(Flow&) override { done = simulation.now(), ++completions; }
  sim::Simulation& simulation;
  Time arrived, done;
  int arrivals = 0, completions = 0;
};

Settings defaults() {
  Settings s;
  s.congestion = Congestion::none;
  s.ecn = false;
  s.global_window = false;
  s.retransmit_ps = 100'000'000;
  return s;
}

/// Hosts 0..n-1 on switch n, all cables alike.
Topology star(int hosts, std::uint64_t rate, std::int64_t delay_ns) {
  Topology t{hosts + 1, std::vector<bool>(static_cast<std::size_t>(hosts + 1), false), {}};
  t.is_switch.back() = true;
  for (int h = 0; h < hosts; ++h) t.cables.push_back({h, hosts, rate, delay_ns});
  return t;
}

/// 10 packets over a switch; `lose` is asked at each arrival.
Time with_loss(std::function<bool(const Packet&)> lose, int& completions) {
  sim::Simulation s;
  Network n(s, star(2, 100'000'000'000, 500), defaults());
  n.context().lose = std::move(lose);
  Ends ends(s);
  n.start(0, 1, 10'000, &ends, nullptr);
  s.run();
  completions = ends.completions;
  EXPECT_EQ(ends.arrivals, 1);
  return ends.done;
}

// 1036 B at 400 Gbps are 20.72 ns: a packet alone arrives after two of them and two cables, and its ACK of 48 B
// (0.96 ns) is back after the same way.
TEST(PacketDefaults, AReceiveCompletesWhenTheLastByteArrivesAndTimesAreExactToThePicosecond) {
  sim::Simulation s;
  Network n(s, star(2, 400'000'000'000, 500), defaults());
  Ends ends(s);
  n.start(0, 1, 1000, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.arrived, Time::ps(2 * (20'720 + 500'000)));
  EXPECT_EQ(ends.done, ends.arrived + Time::ps(2 * (960 + 500'000)));
}

TEST(PacketDefaults, AnEmptyMessageTakesTheWayOfAHeader) {
  sim::Simulation s;
  Network n(s, star(2, 400'000'000'000, 500), defaults());
  Ends ends(s);
  n.start(0, 1, 0, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.arrived, Time::ps(2 * (720 + 500'000)));
}

TEST(PacketDefaults, AnyDataPacketOrAckLostOnceIsMadeUpForLater) {
  int completions = 0;
  const Time whole = with_loss({}, completions);
  EXPECT_EQ(completions, 1);
  for (const Kind kind : {Kind::data, Kind::ack})
    for (int k = 0; k < 20; ++k) {  // each of the ten packets on each of its two cables
      int seen = 0;
      const Time t = with_loss([&](const Packet& p) { return p.kind == kind && seen++ == k; }, completions);
      EXPECT_EQ(completions, 1) << k;
      EXPECT_GE(t, whole) << k;
      if (kind == Kind::data) {
        EXPECT_GT(t, whole) << k;
      }
    }
}

TEST(PacketDefaults, ALostNackIsMadeUpForByTheTimer) {
  int data = 0, nacks = 0, completions = 0;
  const Time t = with_loss(
      [&](const Packet& p) { return (p.kind == Kind::data && data++ == 3) || (p.kind == Kind::nack && nacks++ == 0); },
      completions);
  EXPECT_EQ(completions, 1);
  EXPECT_GT(nacks, 0);
  EXPECT_GT(t, Time::us(100));
}

TEST(PacketDefaults, AFlowThatNeverGetsThroughIsGivenUpByName) {
  int completions = 0;
  try {
    with_loss([](const Packet& p) { return p.kind == Kind::data; }, completions);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("flow 0 -> 1"), std::string::npos) << e.what();
  }
}

TEST(PacketDefaults, AllParallelCablesCarryTraffic) {
  sim::Simulation s;
  Topology t = star(2, 100'000'000'000, 500);
  for (int k = 0; k < 3; ++k) t.cables.push_back({1, 2, 100'000'000'000, 500});
  Network n(s, t, defaults());
  Ends ends(s);
  for (int k = 0; k < 64; ++k) n.start(0, 1, 1000, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.completions, 64);
  for (int port = 1; port <= 4; ++port) EXPECT_GT(n.port(2, port).counters().packets, 0u) << port;
}

// 255 cables of 100 Gbps and 500 ns: each needs 12,500 B in flight, 3 * 1036 B and a pause as headroom, and 4096 B.
TEST(PacketDefaults, AnIncastOf255LosesNothing) {
  Settings open = defaults();
  open.window = false;  // else a window each is all that ever waits
  sim::Simulation s;
  Network n(s, star(256, 100'000'000'000, 500), open);
  Ends ends(s);
  for (int k = 1; k < 256; ++k) n.start(k, 0, 200'000, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.completions, 255);
  std::uint64_t drops = 0, pauses = 0;
  for (const auto& p : n.switches().front()->ports()) drops += p->drops;
  n.for_each_port([&](const Port& p) { pauses += p.counters().pauses; });
  EXPECT_EQ(drops, 0u);
  EXPECT_GT(pauses, 0u);
}

TEST(PacketDefaults, ABufferThatCannotHoldItsHeadroomsIsRefusedWithTheBytesThatAreMissing) {
  Settings small = defaults();
  small.buffer = 1 << 20;
  sim::Simulation s;
  try {
    Network n(s, star(256, 100'000'000'000, 500), small);
    FAIL();
  } catch (const ConfigError& e) {
    const std::uint64_t needed = 256 * (12'500 + 1 + 3 * 1036 + 31 + 4096);
    EXPECT_NE(std::string(e.what()).find(std::to_string(needed - (1 << 20)) + " bytes are missing"), std::string::npos)
        << e.what();
  }
}

TEST(PacketDefaults, TransfersBeyondFourGigabytesHaveSequenceNumbersOf64Bits) {
  Settings large = defaults();
  large.payload = 1u << 20;
  large.window = false;
  sim::Simulation s;
  Network n(s, star(2, 400'000'000'000, 500), large);
  Ends ends(s);
  n.start(0, 1, (std::uint64_t{1} << 33) + 1, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.completions, 1);
  EXPECT_GT(ends.arrived, Time::ps(8 * ((std::int64_t{1} << 33) + 1) * 5 / 2));
}

}  // namespace
}  // namespace tutti::net::packet
