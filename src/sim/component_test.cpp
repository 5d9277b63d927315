#include "sim/component.h"

#include <gtest/gtest.h>

#include "sim/clock_peer.h"
#include "sim/gate.h"
#include "sim/poll.h"

namespace tutti::sim {
namespace {

struct Queue : Component {
  using Component::Component;
  int head = 3;
  std::vector<Field> inspect() const override { return {{"my_head", std::to_string(head)}}; }
};

TEST(Component, PartsAreNamedAfterTheirOwnerAndListedWhileTheyLive) {
  Simulation s;
  Queue pe(s, "sip0.cube1.pe3");
  {
    const Queue ipcq(pe, "ipcq");
    EXPECT_EQ(ipcq.path(), "sip0.cube1.pe3.ipcq");
    ASSERT_EQ(s.components().size(), 2u);
    EXPECT_EQ(s.components()[1]->inspect()[0].value, "3");
  }
  ASSERT_EQ(s.components().size(), 1u);
  EXPECT_EQ(s.components()[0]->path(), "sip0.cube1.pe3");
}
TEST(Port, RefusesASecondConnectionAndUseWithoutOne) {
  Simulation s;
  Queue a(s, "a"), b(s, "b");
  Port<Queue> port;
  EXPECT_THROW(port.peer(), InternalError);
  port.connect(b);
  EXPECT_EQ(&port.peer(), &b);
  EXPECT_THROW(port.connect(a), InternalError);
}

Process<> poller(Simulation& s, const Gate& g, Time& seen) {
  co_await s.delay(Time::ns(3));
  co_await poll(s, g, s.now(), Time::ns(10));
  seen = s.now();
}
Process<> set(Simulation& s, Gate& g, Time open, Time close) {
  co_await s.delay(open);
  g.open();
  if (close == Time()) co_return;
  co_await s.delay(close - open);
  g.close();
}
Time seen_when(Time open, Time close = Time(), Time reopen = Time()) {
  Simulation s;
  Gate g;
  Time seen;
  s.spawn(poller(s, g, seen), "poller");
  s.spawn(set(s, g, open, close), "setter");
  if (reopen != Time()) s.spawn(set(s, g, reopen, Time()), "again");
  s.run();
  return seen;
}
TEST(Poll, SeesAConditionAtTheFirstPollAtOrAfterIt) {
  EXPECT_EQ(seen_when(Time::ns(1)), Time::ns(3));
  EXPECT_EQ(seen_when(Time::ns(4)), Time::ns(13));
  EXPECT_EQ(seen_when(Time::ns(13)), Time::ns(13));
  EXPECT_EQ(seen_when(Time::ps(13'001)), Time::ns(23));
}
TEST(Poll, DoesNotSeeWhatHeldBetweenTwoPollsOnly) {
  EXPECT_EQ(seen_when(Time::ns(4), Time::ns(9), Time::ns(35)), Time::ns(43));
}
TEST(Poll, CostsNoEventsWhileItWaits) {
  Simulation s;
  Gate g;
  Time seen;
  s.spawn(poller(s, g, seen), "poller");
  s.spawn(set(s, g, Time::ms(1), Time()), "setter");
  s.run();
  EXPECT_EQ(seen, Time::ps(1'000'003'000));  // 3 ns + 100,000 periods
  EXPECT_LE(s.events(), 6u);
}

TEST(ClockPeer, RunsToALimitAndTakesPostsFromOutside) {
  Simulation s;
  TimelinePeer peer(s);
  EXPECT_EQ(peer.next_event_time(), Time::max());
  std::string log;
  peer.post(Time::ns(5), [&] { log += "a"; });
  peer.post(Time::ns(5), [&] { log += "b"; });
  peer.post(Time::ns(2), [&] { log += "c"; });
  EXPECT_EQ(peer.next_event_time(), Time::ns(2));
  peer.run_before(Time::ns(5));
  EXPECT_EQ(log, "c");
  peer.run_before(Time::ns(6));
  EXPECT_EQ(log, "cab");
}

}  // namespace
}  // namespace tutti::sim
