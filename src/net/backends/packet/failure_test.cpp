#include <gtest/gtest.h>

#include "base/error.h"
#include "net/backends/packet/network.h"

namespace tutti::net::packet {
namespace {

struct Ends final : FlowListener {
  explicit Ends(sim::Simulation& s) : simulation(s) {}
  void delivered(Flow&) override {}
  void acknowledged(Flow&) override { done = simulation.now(), ++completions; }
  sim::Simulation& simulation;
  Time done;
  int completions = 0;
};

/// Hosts 0 and 1 on switches 2 and 3, which switches 4 and 5 join.
Topology two_ways() {
  Topology t{6, {false, false, true, true, true, true}, {}};
  for (const auto& [a, b] : {std::pair{0, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}})
    t.cables.push_back({a, b, 100'000'000'000, 500});
  return t;
}

Settings with(std::vector<LinkFailure> failures) {
  Settings s;
  s.congestion = Congestion::none;
  s.ecn = false;
  s.global_window = false;
  s.retransmit_ps = 100'000'000;
  s.retries = 5;
  s.failures = std::move(failures);
  return s;
}

/// When a MB is there; sixteen flows, so that both ways are used.
Time run(std::vector<LinkFailure> failures, std::uint64_t& lost) {
  sim::Simulation s;
  Network n(s, two_ways(), with(std::move(failures)));
  Ends ends(s);
  for (int k = 0; k < 16; ++k) n.start(0, 1, 62'500, &ends, nullptr);
  s.run();
  EXPECT_EQ(ends.completions, 16);
  lost = 0;
  n.for_each_port([&](const Port& p) { lost += p.counters().lost; });
  for (const auto& sw : n.switches())
    for (const auto& p : sw->ports()) lost += p->drops;
  return ends.done;
}

TEST(PacketFailures, TrafficTakesTheOtherWayWhenACableFails) {
  std::uint64_t lost = 0;
  const Time whole = run({}, lost);
  EXPECT_EQ(lost, 0u);
  const Time broken = run({{2, 4, 20'000'000}}, lost);  // at 20 us, for ever
  EXPECT_GT(lost, 0u);
  EXPECT_GT(broken, whole);
}

TEST(PacketFailures, AFailureOfTheOnlyCableWaitsForItsRepair) {
  std::uint64_t lost = 0;
  const Time t = run({{3, 1, 20'000'000, 300'000'000}}, lost);
  EXPECT_GT(lost, 0u);
  EXPECT_GT(t, Time::us(300));
}

TEST(PacketFailures, AFailureForEverEndsTheRunWithTheNameOfTheFlow) {
  std::uint64_t lost = 0;
  try {
    run({{3, 1, 20'000'000}}, lost);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("flow 0 -> 1"), std::string::npos) << e.what();
  }
}

TEST(PacketFailures, AFailureBeforeTheStartOfAFlowLosesNothing) {
  sim::Simulation s;
  Network n(s, two_ways(), with({{2, 4, 0}}));
  Ends ends(s);
  struct Start : sim::Event {
    Start(Network& w, Ends& e)
        : Event([](Event& event) {
            auto& self = static_cast<Start&>(event);
            for (int k = 0; k < 8; ++k) self.network.start(0, 1, 62'500, &self.ends, nullptr);
          }),
          network(w),
          ends(e) {}
    Network& network;
    Ends& ends;
  } start(n, ends);
  s.at(Time::us(1), start);
  s.run();
  EXPECT_EQ(ends.completions, 8);
  n.for_each_port([&](const Port& p) { EXPECT_EQ(p.counters().lost, 0u); });
  EXPECT_EQ(n.port(2, 1).counters().packets, 0u);  // the cable that failed
  EXPECT_GT(n.port(2, 2).counters().packets, 0u);
}

TEST(PacketFailures, AFailureOfACableThatIsNotThereIsRefused) {
  sim::Simulation s;
  EXPECT_THROW(Network(s, two_ways(), with({{0, 1, 5}})), ConfigError);
}

}  // namespace
}  // namespace tutti::net::packet
