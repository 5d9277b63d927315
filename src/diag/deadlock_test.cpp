#include "diag/deadlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "sim/channel.h"
#include "sim/component.h"
#include "sim/poll.h"

namespace tutti::diag {
namespace {

using sim::Gate;
using sim::Process;
using sim::Resource;
using sim::Simulation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Runs to the end; what it ended with, if it was a deadlock.
std::optional<WaitGraph> deadlock_of(Simulation& s) {
  try {
    s.run();
  } catch (const Deadlock& d) {
    EXPECT_EQ(d.code(), ExitCode::deadlock);
    return d.graph();
  }
  return std::nullopt;
}

Process<> busy(Simulation& s, Time until) {
  while (s.now() < until) co_await s.delay(Time::ns(1));
}

Process<> philosopher(Simulation& s, Resource& left, Resource& right, Time pause) {
  const auto one = co_await left.hold();
  co_await s.delay(pause);
  const auto two = co_await right.hold();
  co_await s.delay(Time::ns(5));
}
struct Table {
  explicit Table(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) names.push_back("fork " + std::to_string(i));
    for (std::size_t i = 0; i < n; ++i) forks.push_back(std::make_unique<Resource>(1, "the fork", names[i]));
  }
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Resource>> forks;
};

TEST(Deadlock, ACycleIsFoundAtTheEventThatClosesItWhileOthersStillRun) {
  Table table(3);
  Simulation s;
  const DeadlockDetector detector(s);
  s.spawn(busy(s, Time::us(1)), "busy");
  for (std::size_t i = 0; i < 3; ++i)
    s.spawn(philosopher(s, *table.forks[i], *table.forks[(i + 1) % 3], Time::ns(10 + static_cast<int>(i))),
            "philosopher " + std::to_string(i));
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  // The last of the three asks for its second fork at 12 ns; "busy" would run until 1 us.
  EXPECT_EQ(s.now(), Time::ns(12));
  EXPECT_EQ(g->when, Time::ns(12));
  EXPECT_FALSE(g->ended);
  EXPECT_THAT(g->cycle_names(), ElementsAre("philosopher 0", "philosopher 1", "philosopher 2"));
  EXPECT_THAT(g->text(), HasSubstr("philosopher 0 -> philosopher 1 -> philosopher 2 -> philosopher 0"));
  EXPECT_THAT(g->text(), HasSubstr("philosopher 1 waits since 11 ns for the fork on fork 2 (deadlock_test.cpp:"));
}

TEST(Deadlock, ForksTakenInOneOrderAreNoDeadlock) {
  Table table(3);
  Simulation s;
  const DeadlockDetector detector(s);
  for (std::size_t i = 0; i < 3; ++i)
    s.spawn(
        philosopher(s, *table.forks[std::min(i, (i + 1) % 3)], *table.forks[std::max(i, (i + 1) % 3)], Time::ns(10)),
        "philosopher");
  EXPECT_FALSE(deadlock_of(s));
}

Process<> wait_for(Gate& g) { co_await g.wait(); }
Process<> wait_any(Gate& a, Gate& b) { co_await any_of(a.wait(), b.wait()); }
Process<> wait_all(Gate& a, Gate& b) { co_await all_of(a.wait(), b.wait()); }
Process<> wait_then_open(Gate& wait, Gate& open) {
  co_await wait.wait();
  open.open();
}
Process<> later_open(Simulation& s, Time t, Gate& g) {
  co_await s.delay(t);
  g.open();
}
Process<> nap(Simulation& s, Time t) { co_await s.delay(t); }

TEST(Deadlock, AWaitForAnyOfTwoIsNoDeadlockWhileOneCanComeThroughAChain) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a"), b("b"), c("c");
  // X waits for a (by Y) or b (by Z); Y waits for X's end (never before), Z for c (by W, which runs).
  const auto x = s.spawn(wait_any(a, b), "X");
  const auto y = s.spawn([](sim::ProcessHandle h) -> Process<> { co_await h.done(); }(x), "Y");
  const auto z = s.spawn(wait_then_open(c, b), "Z");
  const auto w = s.spawn(later_open(s, Time::ns(50), c), "W");
  a.supplied_by(y), b.supplied_by(z), c.supplied_by(w);
  EXPECT_FALSE(deadlock_of(s));
  EXPECT_EQ(s.now(), Time::ns(50));
}

TEST(Deadlock, AWaitForAnyOfTwoIsADeadlockOnceNeitherCanCome) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a"), b("b");
  const auto x = s.spawn(wait_any(a, b), "X");
  const auto y = s.spawn([](sim::ProcessHandle h) -> Process<> { co_await h.done(); }(x), "Y");
  const auto z = s.spawn(nap(s, Time::ns(50)), "Z");  // ends without opening b
  s.spawn(busy(s, Time::us(1)), "busy");
  a.supplied_by(y), b.supplied_by(z);
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->when, Time::ns(50));
  EXPECT_THAT(g->cycle_names(), ElementsAre("X", "Y"));
  EXPECT_THAT(g->text(), HasSubstr("any of:"));
  EXPECT_THAT(g->text(), HasSubstr("Z has ended"));
}

TEST(Deadlock, AWaitForAllIsADeadlockAsSoonAsOneCannotCome) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a"), b("b");
  const auto x = s.spawn(wait_all(a, b), "X");
  const auto y = s.spawn([](sim::ProcessHandle h) -> Process<> { co_await h.done(); }(x), "Y");
  const auto z = s.spawn(busy(s, Time::us(1)), "Z");  // could open b for a long time yet
  a.supplied_by(y), b.supplied_by(z);
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->when, Time());
  EXPECT_THAT(g->cycle_names(), ElementsAre("X", "Y"));
  EXPECT_TRUE(g->processes[0].needs_all);
}

TEST(Deadlock, AWaitForAllGoesOnWhileEachCanCome) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a"), b("b"), c("c");
  s.spawn(wait_all(a, b), "X");
  const auto y = s.spawn(wait_then_open(c, a), "Y");
  const auto z = s.spawn(later_open(s, Time::ns(9), b), "Z");
  const auto w = s.spawn(later_open(s, Time::ns(20), c), "W");
  a.supplied_by(y), b.supplied_by(z), c.supplied_by(w);
  EXPECT_FALSE(deadlock_of(s));
}

TEST(Deadlock, AMissingPartnerIsNamedInTheInstantItEnds) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate data("data", "port E");
  const auto peer = s.spawn(nap(s, Time::ns(30)), "rank 1");
  data.supplied_by(peer);
  s.spawn(wait_for(data), "rank 0");
  s.spawn(busy(s, Time::us(1)), "busy");
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->when, Time::ns(30));
  EXPECT_THAT(g->cycle, IsEmpty());
  EXPECT_EQ(g->missing_partner().process, 0u);
  EXPECT_THAT(g->text(), HasSubstr("rank 0 waits for data, which only rank 1 could bring, and has ended"));
}

TEST(Deadlock, AWaitOnAProcessThatHasEndedAlreadyIsFoundAtOnce) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate data("data", "port E");
  data.supplied_by(s.spawn(nap(s, Time::ns(1)), "rank 1"));
  s.spawn(
      [](Simulation& sim, Gate& g) -> Process<> {
        co_await sim.delay(Time::ns(7));
        co_await g.wait();
      }(s, data),
      "rank 0");
  s.spawn(busy(s, Time::us(1)), "busy");
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->when, Time::ns(7));
}

/// A wait for a message, which may be under way.
struct Message final : sim::Awaited {
  explicit Message(const bool& u, sim::ProcessHandle f) : under_way(&u), from(std::move(f)) {}
  std::string what() const override { return "a message"; }
  std::string on() const override { return "pe0.ipcq"; }
  std::string state() const override { return "my_tail 3, peer_head_cache 3"; }
  void suppliers(sim::Suppliers& s) const override {
    s.under_way = *under_way;
    s.processes.push_back(&from.root());
  }
  const bool* under_way;
  sim::ProcessHandle from;
};
Process<> receive(Gate& arrived, const Message& m) { co_await arrived.wait(m); }
struct Delivery : sim::Event {
  explicit Delivery(Gate& g) : Event([](Event& e) { static_cast<Delivery&>(e).gate->open(); }), gate(&g) {}
  Gate* gate;
};
Process<> send_and_end(Simulation& s, Delivery& d, bool& under_way) {
  under_way = true;
  s.after(Time::ns(20), d);
  co_return;
}
TEST(Deadlock, AMessageUnderWayKeepsItsReceiverAliveAfterTheSenderHasEnded) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate arrived;
  Delivery delivery(arrived);
  bool under_way = false;
  const auto sender = s.spawn(send_and_end(s, delivery, under_way), "sender");
  const Message m(under_way, sender);
  s.spawn(receive(arrived, m), "receiver");
  EXPECT_FALSE(deadlock_of(s));
  EXPECT_EQ(s.now(), Time::ns(20));
}

struct Ipcq : sim::Component {
  using Component::Component;
  std::vector<sim::Field> inspect() const override { return {{"my_head", "4"}, {"n_slots", "4"}}; }
};
TEST(Deadlock, TheReportShowsTheStateOfTheComponentsThatAreWaitedOn) {
  Simulation s;
  const Ipcq ipcq(s, "pe0.ipcq"), other(s, "pe1.ipcq");
  const DeadlockDetector detector(s);
  Gate arrived;
  const bool under_way = false;
  const Message m(under_way, s.spawn(nap(s, Time::ns(1)), "sender"));
  s.spawn(receive(arrived, m), "receiver");
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_THAT(g->components, ElementsAre("pe0.ipcq: my_head 4, n_slots 4"));
  EXPECT_THAT(g->text(), HasSubstr("my_tail 3, peer_head_cache 3"));
  ASSERT_EQ(g->waits().size(), 1u);
  EXPECT_EQ(g->waits()[0].who, "receiver");
  EXPECT_EQ(g->waits()[0].on, "pe0.ipcq");
}

TEST(Deadlock, AWaitThatSaysNothingIsFoundWhenNothingIsScheduledAnyMore) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate g("data");
  s.spawn(wait_for(g), "rank 0");
  s.spawn(busy(s, Time::ns(40)), "busy");
  const auto graph = deadlock_of(s);
  ASSERT_TRUE(graph);
  EXPECT_TRUE(graph->ended);
  EXPECT_EQ(s.now(), Time::ns(40));
  EXPECT_THAT(graph->text(), HasSubstr("rank 0 waits since 0 ps for data"));
}

Process<> poll_for(Simulation& s, Gate& g) { co_await sim::poll(s, g, s.now(), Time::ns(10)); }
TEST(Deadlock, APollThatNothingCanEndIsFoundAtOnceToo) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a"), b("b");
  const auto x = s.spawn(poll_for(s, a), "X");
  const auto y = s.spawn(poll_for(s, b), "Y");
  a.supplied_by(y), b.supplied_by(x);
  s.spawn(busy(s, Time::us(1)), "busy");
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->when, Time());
  EXPECT_THAT(g->cycle_names(), ElementsAre("X", "Y"));
}

TEST(Deadlock, AProcessThatWaitsForItselfIsACycleOfOne) {
  Resource r(1, "the port");
  Simulation s;
  const DeadlockDetector detector(s);
  s.spawn(
      [](Resource& one) -> Process<> {
        const auto first = co_await one.hold();
        const auto second = co_await one.hold();
      }(r),
      "greedy");
  s.spawn(busy(s, Time::us(1)), "busy");
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_THAT(g->cycle_names(), ElementsAre("greedy"));
  EXPECT_THAT(g->text(), HasSubstr("greedy waits for itself"));
}

TEST(Deadlock, GraphvizNamesProcessesAndWaits) {
  Simulation s;
  const DeadlockDetector detector(s);
  Gate a("a \"quoted\" name"), b("b");
  const auto x = s.spawn(wait_for(a), "X");
  const auto y = s.spawn(wait_for(b), "Y");
  a.supplied_by(y), b.supplied_by(x);
  const auto g = deadlock_of(s);
  ASSERT_TRUE(g);
  EXPECT_THAT(g->dot(), HasSubstr("digraph waits {"));
  EXPECT_THAT(g->dot(), HasSubstr("p0 -> p1 [label=\"a \\\"quoted\\\" name"));
  EXPECT_THAT(g->dot(), HasSubstr("color=red"));
}

TEST(Deadlock, ALookGoesAlongTheChainOfThoseThatWaitAndNoFurther) {
  Simulation s;
  const DeadlockDetector detector(s);
  std::vector<std::unique_ptr<Gate>> gates;
  for (int i = 0; i < 100; ++i) gates.push_back(std::make_unique<Gate>());
  std::vector<sim::ProcessHandle> p;
  p.push_back(s.spawn(later_open(s, Time::ns(5), *gates[0]), "first"));
  for (std::size_t i = 1; i < 100; ++i) p.push_back(s.spawn(wait_then_open(*gates[i - 1], *gates[i]), "next"));
  for (std::size_t i = 0; i < 100; ++i) gates[i]->supplied_by(p[i]);
  EXPECT_FALSE(deadlock_of(s));
  // The one that blocks as number i looks along a chain of i; each end looks at the one that waited for it.
  EXPECT_LE(detector.looks(), 99u * 100u / 2 + 100u);
}

}  // namespace
}  // namespace tutti::diag
