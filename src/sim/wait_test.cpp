#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/channel.h"
#include "sim/simulation.h"

namespace tutti::sim {
namespace {

using testing::HasSubstr;

std::string deadlock_of(Simulation& s) {
  try {
    s.run();
  } catch (const DeadlockError& e) {
    return e.what();
  }
  return "";
}

Process<> first_of(Simulation& s, Gate& a, Gate& b, std::size_t& which, Time& when) {
  which = co_await any_of(a.wait(), b.wait());
  when = s.now();
}
Process<> both_of(Simulation& s, Gate& a, Gate& b, Time& when) {
  co_await all_of(a.wait(), b.wait());
  when = s.now();
}
Process<> open_at(Simulation& s, Time t, Gate& g) {
  co_await s.delay(t);
  g.open();
}

TEST(Wait, AnyOfGoesOnWithTheFirstAndForgetsTheOthers) {
  Simulation s;
  Gate a, b;
  std::size_t which = 9;
  Time when;
  s.spawn(first_of(s, a, b, which, when), "waiter");
  s.spawn(open_at(s, Time::ns(7), a), "late");
  s.spawn(open_at(s, Time::ns(3), b), "early");
  s.run();
  EXPECT_EQ(which, 1u);
  EXPECT_EQ(when, Time::ns(3));
  EXPECT_FALSE(a.awaited());
}

TEST(Wait, AnyOfTakesTheFirstInTheListIfSeveralAreReady) {
  Simulation s;
  Gate a, b;
  a.open(), b.open();
  std::size_t which = 9;
  Time when;
  s.spawn(first_of(s, a, b, which, when), "waiter");
  s.run();
  EXPECT_EQ(which, 0u);
}

TEST(Wait, AllOfWaitsForTheLast) {
  Simulation s;
  Gate a, b;
  Time when;
  s.spawn(both_of(s, a, b, when), "waiter");
  s.spawn(open_at(s, Time::ns(7), a), "late");
  s.spawn(open_at(s, Time::ns(3), b), "early");
  s.run();
  EXPECT_EQ(when, Time::ns(7));
}

TEST(Wait, AReportNamesWhatIsStillMissingWithAndOrAndTheLine) {
  {
    Simulation s;
    Gate a("data", "port E"), b("data", "port W");
    Time when;
    s.spawn(both_of(s, a, b, when), "waiter");
    s.spawn(open_at(s, Time::ns(3), a), "opener");
    const std::string text = deadlock_of(s);
    EXPECT_THAT(text, HasSubstr("waiter waits for data on port W since 0"));
    EXPECT_THAT(text, Not(HasSubstr("port E")));
    EXPECT_THAT(text, HasSubstr("wait_test.cpp:"));
  }
  Simulation s;
  Gate a("data", "port E"), b("data", "port W");
  std::size_t which = 9;
  Time when;
  s.spawn(first_of(s, a, b, which, when), "waiter");
  EXPECT_THAT(deadlock_of(s), HasSubstr("data on port E or data on port W"));
}

struct Pointers final : Awaited {
  int head = 1;
  std::string what() const override { return "credit, my_head " + std::to_string(head); }
};
Process<> reasoned(Gate& g, Pointers& p) { co_await g.wait(p); }
TEST(Wait, AReasonIsDescribedAsItIsWhenSomebodyAsks) {
  Simulation s;
  Gate g;
  Pointers p;
  s.spawn(reasoned(g, p), "waiter");
  s.run_before(Time::ns(1));
  p.head = 5;
  EXPECT_THAT(deadlock_of(s), HasSubstr("waits for credit, my_head 5"));
}

struct Port {
  int number;
  std::string describe() const { return "port " + std::to_string(number); }
};
TEST(Name, TellsALiteralAKeptStringOrWhatAnObjectDescribesNow) {
  std::string kept = "kept";
  Port port{3};
  const Name literal("literal"), string(kept), described = Name::of<&Port::describe>(port);
  kept = "changed";
  port.number = 4;
  EXPECT_EQ(literal.text(), "literal");
  EXPECT_EQ(string.text(), "changed");
  EXPECT_EQ(described.text(), "port 4");
}

Process<> listen(Signal& g, int& heard) {
  for (;;) {
    co_await g.wait();
    ++heard;
  }
}
Process<> fire_twice(Simulation& s, Signal& g) {
  co_await s.delay(Time::ns(1));
  g.fire();
  co_await s.delay(Time::ns(1));
  g.fire();
}
TEST(Signal, WakesAllThatWaitAndNobodyThatComesLater) {
  Simulation s;
  Signal g;
  int heard = 0;
  s.spawn(listen(g, heard), "a");
  s.spawn(listen(g, heard), "b");
  s.spawn(fire_twice(s, g), "fire");
  EXPECT_NE(deadlock_of(s), "");
  EXPECT_EQ(heard, 4);
}

Process<> again(Gate& g, int& times) {
  for (int i = 0; i < 3; ++i) {
    co_await g.wait();
    ++times;
    g.close();
  }
}
TEST(Gate, AnOpenGateDoesNotHoldUp) {
  Simulation s;
  Gate g;
  g.open();
  int times = 0;
  s.spawn(again(g, times), "again");
  EXPECT_NE(deadlock_of(s), "");
  EXPECT_EQ(times, 1);
}

Process<> produce(Simulation& s, Channel<int>& c, std::vector<Time>& sent) {
  for (int i = 0; i < 4; ++i) {
    co_await c.send(i);
    sent.push_back(s.now());
  }
}
Process<> consume(Simulation& s, Channel<int>& c, std::vector<int>& got) {
  for (int i = 0; i < 4; ++i) {
    co_await s.delay(Time::ns(10));
    got.push_back(co_await c.get());
  }
}
TEST(Channel, ASenderWaitsForRoomAndOrderIsKept) {
  Simulation s;
  Channel<int> c("item", "stage", 2);
  std::vector<Time> sent;
  std::vector<int> got;
  s.spawn(produce(s, c, sent), "producer");
  s.spawn(consume(s, c, got), "consumer");
  s.run();
  EXPECT_EQ(sent, (std::vector<Time>{Time(), Time(), Time::ns(10), Time::ns(20)}));
  EXPECT_EQ(got, (std::vector<int>{0, 1, 2, 3}));
}
TEST(Channel, PutIntoAFullChannelIsAnError) {
  Channel<int> c("item", "stage", 1);
  c.put(1);
  EXPECT_THROW(c.put(2), InternalError);
}
TEST(Channel, MovesItemsThatCannotBeCopied) {
  Channel<std::unique_ptr<int>> c;
  for (int i = 0; i < 9; ++i) c.put(std::make_unique<int>(i));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(**c.try_get(), i);
  EXPECT_FALSE(c.try_get());
}

Process<> holder(Simulation& s, Resource& r, std::vector<Time>& ends) {
  const auto hold = co_await r.hold();
  co_await s.delay(Time::ns(10));
  ends.push_back(s.now());
}
TEST(Resource, AHoldEndsWithItsScope) {
  Simulation s;
  Resource r(2);
  std::vector<Time> ends;
  for (int i = 0; i < 5; ++i) s.spawn(holder(s, r, ends), "holder");
  s.run();
  EXPECT_EQ(ends, (std::vector<Time>{Time::ns(10), Time::ns(10), Time::ns(20), Time::ns(20), Time::ns(30)}));
  EXPECT_EQ(r.free(), 2);
}

TEST(Wait, EndsOfSubjectAndSimulationInEitherOrderLeaveNothingBehind) {
  auto g = std::make_unique<Gate>();
  {
    Simulation s;
    std::size_t which;
    Time when;
    Gate other;
    s.spawn(first_of(s, *g, other, which, when), "waiter");
    s.run_before(Time::ns(1));
    EXPECT_TRUE(g->awaited());
  }
  EXPECT_FALSE(g->awaited());
  Simulation s;
  std::size_t which;
  Time when;
  Gate other;
  s.spawn(first_of(s, *g, other, which, when), "waiter");
  s.run_before(Time::ns(1));
  g.reset();
}

}  // namespace
}  // namespace tutti::sim
