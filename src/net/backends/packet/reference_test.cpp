#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "net/backends/packet/network.h"
#include "net/backends/packet/ns3/config.h"
#include "net/backends/packet/ns3/topology_file.h"

namespace tutti::net::packet {
namespace {
namespace fs = std::filesystem;

/// Starts the recorded flows at their recorded times and compares when each is done.
class Replay final : public FlowListener {
 public:
  Replay(const fs::path& folder, const nlohmann::json& expect, bool stamped, std::uint64_t run = 1)
      : network_(simulation_, read_ns3_topology((folder / "topology.txt").string()), settings(folder, stamped, run)) {
    for (const auto& f : expect["fct"]) {
      flows_.push_back(std::make_unique<Recorded>());
      Recorded& r = *flows_.back();
      r.replay = this;
      r.source = f[0], r.destination = f[1], r.bytes = f[4], r.start = f[5], r.duration = f[6], r.standalone = f[7];
      simulation_.at(Time::ns(r.start), r);
    }
    simulation_.run();
  }
  /// One line a flow that differs.
  std::string differences() const {
    std::string out;
    for (const auto& f : flows_)
      if (f->end != f->start + f->duration || f->alone != f->standalone)
        out += std::to_string(f->source) + " -> " + std::to_string(f->destination) + " at " + std::to_string(f->start) +
               ": " + std::to_string(f->end - f->start) + " instead of " + std::to_string(f->duration) + "\n";
    return out;
  }
  std::uint64_t pauses() const {
    std::uint64_t n = 0;
    network_.for_each_port([&](const Port& p) { n += p.counters().pauses + p.counters().resumes; });
    return n;
  }
  std::uint64_t drops() const {
    std::uint64_t n = 0;
    for (const auto& s : network_.switches())
      for (const auto& p : s->ports()) n += p->drops;
    return n;
  }
  const Network& network() const { return network_; }

 private:
  struct Recorded : sim::Event {
    Recorded()
        : Event([](Event& e) {
            auto& r = static_cast<Recorded&>(e);
            const Flow& f = r.replay->network_.start(r.source, r.destination, r.bytes, r.replay, &r);
            r.alone = r.replay->network_.standalone_ns(f);
          }) {}
    Replay* replay = nullptr;
    int source = 0, destination = 0;
    std::uint64_t bytes = 0;
    std::int64_t start = 0, duration = 0, standalone = 0, end = -1, alone = -1;
  };
  static Settings settings(const fs::path& folder, bool stamped, std::uint64_t run) {
    Settings s = read_ns3_config((folder / "config.txt").string(), true).settings;
    s.timely_stamp = stamped;
    s.seed = run;
    return s;
  }
  void delivered(Flow&) override {}
  void acknowledged(Flow& f) override { static_cast<Recorded*>(f.owner)->end = simulation_.now().ps() / 1000; }

  sim::Simulation simulation_;
  Network network_;
  std::vector<std::unique_ptr<Recorded>> flows_;
};

/// The recorded cases that `wanted` takes.
template <class F, class G>
void each_case(F wanted, G check) {
  const char* shared = std::getenv("TUTTI_SHARED");
  if (!shared) {
    std::cout << "NOT RUN: TUTTI_SHARED does not name the folder of reference runs\n";
    return;
  }
  int cases = 0;
  for (const auto& d : fs::directory_iterator(fs::path(shared) / "peers/ns3")) {
    if (!fs::exists(d.path() / "expect.json")) continue;
    std::ifstream file(d.path() / "expect.json");
    const auto e = nlohmann::json::parse(file);
    if (!wanted(e)) continue;
    ++cases;
    check(d.path(), e);
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0);
}

TEST(PacketReference, EveryFlowEqualsTheReferenceToTheNanosecondWhereNoDrawMatters) {
  // Which flow of a host opens first in an instant is not recorded, and decides who draws first.
  each_case(
      [](const auto& e) { return !e["random_draws_can_matter"] && e["kind"] != "nicrr" && e["kind"] != "timelyfix"; },
      [](const fs::path& folder, const auto& e) {
        const Replay r(folder, e, false);
        EXPECT_EQ(r.differences(), "") << folder.filename();
        EXPECT_EQ(r.pauses(), e["pfc_event_count"]) << folder.filename();
        EXPECT_EQ(r.drops(), e["drops"]) << folder.filename();
        // A marking threshold that is a step takes no draw.
        if (e["cc_mode"] != 12) return;
        for (const auto& p : e["ports"]) {
          const int node = p[0], interface = p[1];
          for (const auto& s : r.network().switches()) {
            if (s->id() != node) continue;
            EXPECT_EQ(s->ports()[static_cast<std::size_t>(interface - 1)]->peak, p[3])
                << folder.filename() << " switch " << node << " interface " << interface;
          }
        }
      });
}

// Run k of the reference is our seed k: the same losses in the same order.
TEST(PacketReference, LossesAreTheReferencesOwnInEachOfItsRuns) {
  each_case([](const auto& e) { return e["kind"] == "loss"; },
            [](const fs::path& folder, const auto& e) {
              for (std::uint64_t run = 1; run <= 5; ++run) {
                auto of_run = e;
                of_run["fct"][0][6] = e["seeds"]["fct_by_run"][0][run - 1];
                EXPECT_EQ(Replay(folder, of_run, false, run).differences(), "") << folder.filename() << " run " << run;
              }
            });
}

TEST(PacketReference, TimelyWithTimeStampsEqualsTheRepairedReference) {
  each_case([](const auto& e) { return e["kind"] == "timelyfix"; },
            [](const fs::path& folder, const auto& e) {
              EXPECT_EQ(Replay(folder, e, true).differences(), "") << folder.filename();
            });
}

}  // namespace
}  // namespace tutti::net::packet
