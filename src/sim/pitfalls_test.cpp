// Shapes that g++ 12.2 has been seen to miscompile, or that overflow the stack without tail calls, written as this
// layer tells its users to write them; and the shapes themselves where the compiler gets them right.
#include <gtest/gtest.h>

#include "sim/channel.h"
#include "sim/simulation.h"

namespace tutti::sim {
namespace {

Process<bool> flag(Simulation& s, bool value) {
  co_await s.delay(Time::ns(1));
  co_return value;
}
Process<int> number(Simulation& s, int value) {
  co_await s.delay(Time::ns(1));
  co_return value;
}

Process<> hoisted_if(Simulation& s, int& out) {
  const bool r = co_await flag(s, true);
  if (r) out = 1;
}
Process<> hoisted_switch(Simulation& s, int& out) {
  const int r = co_await number(s, 2);
  switch (r) {
    case 2:
      out = 2;
      break;
    default:
      out = -1;
  }
}
Process<> hoisted_and(Simulation& s, int& out) {
  const bool a = co_await flag(s, true);
  const bool b = a ? co_await flag(s, false) : false;
  if (a && !b) out = 3;
}
Process<> loop_condition(Simulation& s, int& out) {
  for (;;) {
    const bool more = co_await flag(s, ++out < 4);
    if (!more) break;
  }
}
TEST(Pitfalls, HoistedResultsDecideIfSwitchAndLoops) {
  Simulation s;
  int a = 0, b = 0, c = 0, d = 0;
  s.spawn(hoisted_if(s, a), "if");
  s.spawn(hoisted_switch(s, b), "switch");
  s.spawn(hoisted_and(s, c), "and");
  s.spawn(loop_condition(s, d), "loop");
  s.run();
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(c, 3);
  EXPECT_EQ(d, 4);
}

#ifdef __clang__
Process<> bare_if(Simulation& s, int& out) {
  if (co_await flag(s, true)) out = 1;
}
Process<> bare_and(Simulation& s, int& out) {
  if (co_await flag(s, true) && !co_await flag(s, false)) out = 3;
}
Process<> bare_switch(Simulation& s, int& out) {
  switch (co_await number(s, 2)) {
    case 2:
      out = 2;
      break;
    default:
      out = -1;
  }
}
TEST(Pitfalls, BareConditionsWorkWhereTheCompilerIsRight) {
  Simulation s;
  int a = 0, b = 0, c = 0;
  s.spawn(bare_if(s, a), "if");
  s.spawn(bare_switch(s, b), "switch");
  s.spawn(bare_and(s, c), "and");
  s.run();
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(c, 3);
}
#endif

/// Counts its live copies.
struct Counted {
  explicit Counted(int& n) : live(&n) { ++*live; }
  Counted(const Counted& o) : live(o.live) { ++*live; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --*live; }
  int* live;
};
Process<> pass(Channel<Counted>& c, int& live) {
  co_await c.send(Counted(live));
  co_await c.send(Counted(live));
}
Process<> drain(Simulation& s, Channel<Counted>& c) {
  for (int i = 0; i < 2; ++i) {
    co_await s.delay(Time::ns(1));
    const Counted got = co_await c.get();
    static_cast<void>(got);
  }
}
TEST(Pitfalls, AnAwaiterWithANonTrivialMemberIsDestroyedOnce) {
  int live = 0;
  {
    Simulation s;
    Channel<Counted> c("item", "stage", 1);
    s.spawn(pass(c, live), "pass");
    s.spawn(drain(s, c), "drain");
    s.run();
  }
  EXPECT_EQ(live, 0);
}

Process<int> depth(Simulation& s, int n) {
  if (n == 0) co_return 0;
  const int below = co_await depth(s, n - 1);
  co_return below + 1;
}
Process<> deep(Simulation& s, int n, int& out) { out = co_await depth(s, n); }
TEST(Pitfalls, AHundredThousandNestedSubProcessesDoNotGrowTheStack) {
  Simulation s;
  int out = 0;
  s.spawn(deep(s, 100'000, out), "deep");
  s.run();
  EXPECT_EQ(out, 100'000);
}

Process<> spin(Simulation& s, int n) {
  for (int i = 0; i < n; ++i) co_await s.yield_now();
}
TEST(Pitfalls, EndlessYieldsDoNotGrowTheQueue) {
  Simulation s;
  s.spawn(spin(s, 1'000'000), "spin");
  s.run();
  EXPECT_LE(s.pending_capacity(), 1024u);
}
struct Again : Event {
  explicit Again(Simulation& s) : Event(&Again::run), simulation(&s) {}
  static void run(Event& e) {
    Again& a = static_cast<Again&>(e);
    if (--a.left > 0) a.simulation->late(a);
  }
  Simulation* simulation;
  int left = 1'000'000;
};
TEST(Pitfalls, EndlessLateEventsDoNotGrowTheLateLane) {
  Simulation s;
  Again a(s), b(s);
  s.late(a);
  s.late(b);
  s.run();
  EXPECT_LE(s.pending_capacity(), 1024u);
}

Process<int> thrower(Simulation& s) {
  co_await s.delay(Time::ns(1));
  throw ModelError("inner");
}
Process<> catcher(Simulation& s, std::string& out) {
  try {
    out = std::to_string(co_await thrower(s));
  } catch (const ModelError& e) {
    out = e.what();
  }
  co_await s.delay(Time::ns(1));
  out += "!";
}
TEST(Pitfalls, AnExceptionReachesTheAwaiterWhichMayGoOn) {
  Simulation s;
  std::string out;
  s.spawn(catcher(s, out), "catcher");
  s.run();
  EXPECT_EQ(out, "inner!");
}
Process<> doomed(Simulation& s) { co_await thrower(s); }
TEST(Pitfalls, ARunThatFailedCanBeTakenUpAgain) {
  Simulation s;
  s.spawn(doomed(s), "doomed");
  std::string out;
  s.spawn(catcher(s, out), "catcher");
  EXPECT_THROW(s.run(), ModelError);
  s.run();
  EXPECT_EQ(out, "inner!");
}

}  // namespace
}  // namespace tutti::sim
