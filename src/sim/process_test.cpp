#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/channel.h"
#include "sim/simulation.h"

namespace tutti::sim {
namespace {

Process<int> twice(Simulation& s, int x) {
  co_await s.delay(Time::ns(5));
  if (x < 0) throw ModelError("negative");
  co_return 2 * x;
}
Process<> sum(Simulation& s, int& out) {
  const int a = co_await twice(s, 3);
  const int b = co_await twice(s, 4);
  out = a + b;
}
Process<> negative(Simulation& s) { co_await twice(s, -1); }
Process<> take(Channel<int>& c, int n, int& out) {
  for (int i = 0; i < n; ++i) out = out * 10 + co_await c.get();
}
Process<> feed(Simulation& s, Channel<int>& c) {
  for (int i = 1; i <= 3; ++i) {
    c.put(i);
    co_await s.delay(Time::ns(1));
  }
}
Process<> use(Simulation& s, Resource& r, Time& end) {
  co_await r.acquire();
  co_await s.delay(Time::ns(10));
  r.release();
  end = s.now();
}
Process<int> one() { co_return 1; }
Process<> many(int n, int& out) {
  for (int i = 0; i < n; ++i) out += co_await one();
}
Process<> join(ProcessHandle h, Simulation& s, Time& end) {
  co_await h.done();
  end = s.now();
}

TEST(Process, results_of_sub_processes_reach_the_awaiter_in_simulated_time) {
  Simulation s;
  int out = 0;
  s.spawn(sum(s, out), "sum");
  s.run();
  EXPECT_EQ(out, 14);
  EXPECT_EQ(s.now(), Time::ns(10));
}
TEST(Process, an_uncaught_exception_leaves_run) {
  Simulation s;
  s.spawn(negative(s), "negative");
  EXPECT_THROW(s.run(), ModelError);
}
TEST(Process, a_channel_delivers_in_order_and_a_missing_item_is_a_deadlock_that_names_the_wait) {
  Simulation s;
  Channel<int> c("item", "store");
  int out = 0;
  s.spawn(take(c, 4, out), "taker");
  s.spawn(feed(s, c), "feeder");
  try {
    s.run();
    FAIL();
  } catch (const DeadlockError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("taker waits for item on store"));
  }
  EXPECT_EQ(out, 123);
}
TEST(Process, a_resource_of_one_serves_one_after_the_other_and_join_sees_the_end) {
  Simulation s;
  Resource r(1);
  Time a, b, end;
  s.spawn(use(s, r, a), "a");
  const auto h = s.spawn(use(s, r, b), "b");
  s.spawn(join(h, s, end), "join");
  s.run();
  EXPECT_EQ(a, Time::ns(10));
  EXPECT_EQ(b, Time::ns(20));
  EXPECT_EQ(end, Time::ns(20));
}
TEST(Process, a_million_completed_sub_processes_do_not_grow_the_stack) {
  Simulation s;
  int out = 0;
  s.spawn(many(1000000, out), "many");
  s.run();
  EXPECT_EQ(out, 1000000);
}

}  // namespace
}  // namespace tutti::sim
