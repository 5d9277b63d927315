// Deadlocks: found in the instant that closes them, also while others run; and what the report says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ipcq/errors.h"
#include "device/smallest_slots.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using enum Direction;
using testing::HasSubstr;
using testing::Not;

std::string dead(TestMachine& m) {
  try {
    m.machine().run();
  } catch (const DeadlockError& e) {
    return e.what();
  }
  return "no deadlock";
}

sim::Process<> receives(Pe& pe, Direction d) {
  const ReceivedSlot slot = co_await pe.recv(d);
  co_await pe.release(slot);
}
sim::Process<> works(sim::Simulation& s, Time t) { co_await s.delay(t); }

TEST(DeadlockReport, a_cycle_is_found_in_the_instant_that_closes_it_while_another_pe_runs_asleep_and_polling) {
  for (const Backpressure pressure : {Backpressure::sleep, Backpressure::poll}) {
    IpcqConfig c;
    c.backpressure = pressure;
    TestMachine m;
    m.pair(0, 1, c);
    m.machine().launch(0, receives(m.pe(0), E));
    m.machine().launch(1, receives(m.pe(1), W));
    m.machine().launch(2, works(m.simulation, Time::ms(1)));
    const std::string text = dead(m);
    EXPECT_EQ(m.simulation.now(), Time::ns(6));  // dispatch and mmio: 0 ns after the second receive began to wait
    EXPECT_THAT(text, HasSubstr("deadlock at 6 ns: these PEs wait for ever:"));
    EXPECT_THAT(text, HasSubstr("cycle: rank 0 (recv E) -> rank 1 (recv W) -> rank 0"));
    EXPECT_THAT(text, HasSubstr("deadlock_report_test.cpp:"));
    EXPECT_THAT(text, Not(HasSubstr("pe2")));
  }
}

TEST(DeadlockReport, a_message_under_way_or_a_peer_that_may_still_send_is_no_deadlock) {
  struct Kernel {
    static sim::Process<> late(Pe& pe, sim::Simulation& s) {
      co_await s.delay(Time::us(3));
      co_await pe.send(E, 0, 0);
    }
  };
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, Kernel::late(m.pe(0), m.simulation));
  m.machine().launch(1, receives(m.pe(1), W));
  EXPECT_EQ(dead(m), "no deadlock");
}

TEST(DeadlockReport, a_barrier_that_somebody_never_enters_is_found_when_that_kernel_ends) {
  struct Kernel {
    static sim::Process<> enters(Pe& pe) { co_await pe.barrier(); }
  };
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, Kernel::enters(m.pe(0)));
  m.machine().launch(1, works(m.simulation, Time::ns(50)));
  m.machine().launch(2, works(m.simulation, Time::ms(1)));
  EXPECT_THAT(dead(m), HasSubstr("rank 0 (sip0.cube0.pe0): barrier at deadlock_report_test.cpp:"));
  EXPECT_EQ(m.simulation.now(), Time::ns(50));
}

sim::Process<> rounds(Pe& pe, int n, int wrong_round) {
  for (int i = 0; i < n; ++i) {
    if (i != wrong_round) co_await pe.send(E, 0, 0);
    const ReceivedSlot slot = co_await pe.recv(W);
    co_await pe.release(slot);
  }
}

TEST(DeadlockReport, the_first_call_at_which_the_ranks_programs_part_is_named) {
  TestMachine m;
  GroupPlan plan;
  for (int i = 0; i < 4; ++i) {
    plan.pes.push_back(i);
    plan.ports.push_back({{E, (i + 1) % 4, W}, {W, (i + 3) % 4, E}});
  }
  m.machine().install(plan);
  for (int i = 0; i < 4; ++i) m.machine().launch(i, rounds(m.pe(i), 5, i == 2 ? 1 : -1));
  const std::string text = dead(m);
  EXPECT_THAT(text, HasSubstr("the ranks' programs part at call 3:"));
  EXPECT_THAT(text, testing::ContainsRegex("recv W at deadlock_report_test.cpp:[0-9]+: rank 2\n"));
  EXPECT_THAT(text, testing::ContainsRegex("send E at deadlock_report_test.cpp:[0-9]+: ranks 0 1 3"));
}

sim::Process<> sends_first(Pe& pe, Direction d, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(d, 0, 0);
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(d);
    co_await pe.release(slot);
  }
}

TEST(DeadlockReport, the_fewest_slots_that_would_have_avoided_it_are_those_the_static_rule_asks_for) {
  const auto completes = [](int sends, std::uint32_t slots) {
    IpcqConfig c;
    c.n_slots = slots;
    TestMachine m;
    m.pair(0, 1, c);
    m.machine().launch(0, sends_first(m.pe(0), E, sends));
    m.machine().launch(1, sends_first(m.pe(1), W, sends));
    return dead(m) == "no deadlock";
  };
  for (const int sends : {3, 5, 8}) {
    EXPECT_FALSE(completes(sends, 2));
    // Sends before the matching receives in the cycle: at most n_slots.
    EXPECT_EQ(smallest_n_slots(2, 64, [&](std::uint32_t n) { return completes(sends, n); }),
              static_cast<std::uint32_t>(sends));
  }
  EXPECT_EQ(smallest_n_slots(2, 64, [](std::uint32_t) { return false; }), std::nullopt);
  EXPECT_EQ(smallest_n_slots(2, 5, [](std::uint32_t n) { return n == 5; }), 5u);
}

// ADR-0023 F3, where the live graph is off.
TEST(DeadlockReport, the_timeout_ends_a_call_that_waits_too_long_while_others_run) {
  IpcqConfig c;
  c.live_deadlock = false;
  c.deadlock_timeout = Time::ms(10);
  TestMachine m;
  m.pair(0, 1, c);
  m.machine().launch(0, works(m.simulation, Time::ms(30)));
  m.machine().launch(1, receives(m.pe(1), W));
  const std::string text = dead(m);
  EXPECT_THAT(text, HasSubstr("timeout: sip0.cube0.pe1 has waited for"));
  EXPECT_THAT(text, HasSubstr("my_head 0 my_tail 0 peer_head_cache 0"));
}

// ADR-0023 F2 (R106).
TEST(Typed, a_receive_that_names_its_elements_refuses_other_types_and_numbers) {
  struct Kernel {
    static sim::Process<> sends(Pe& pe, Address a, bool typed) {
      if (typed)
        co_await pe.send_typed(E, a, memory::DType::f16, 32);
      else
        co_await pe.send(E, a, 64);
    }
    static sim::Process<> receives(Pe& pe, memory::DType dtype, std::int64_t n) {
      const ReceivedSlot slot = co_await pe.recv_typed(W, dtype, n);
      co_await pe.release(slot);
    }
  };
  const auto run = [](bool typed, memory::DType dtype, std::int64_t n) -> std::string {
    TestMachine m;
    m.pair(0, 1);
    m.machine().launch(0, Kernel::sends(m.pe(0), m.tensor(BufferKind::tcm, 0, 64), typed));
    m.machine().launch(1, Kernel::receives(m.pe(1), dtype, n));
    try {
      m.machine().run();
    } catch (const IpcqTypeMismatch& e) {
      return e.what();
    }
    return "done";
  };
  EXPECT_EQ(run(true, memory::DType::f16, 32), "done");
  EXPECT_THAT(run(true, memory::DType::f32, 16), HasSubstr("recv W of 16 f32 (64 B) got 64 B of f16 as message 0"));
  EXPECT_THAT(run(true, memory::DType::f16, 16), HasSubstr("recv W of 16 f16 (32 B) got 64 B of f16"));
  EXPECT_THAT(run(false, memory::DType::f16, 32), HasSubstr("got 64 B of untyped"));
}

}  // namespace
}  // namespace tutti::device
