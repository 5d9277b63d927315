// What becomes of each fault: named, or made good; never wrong data without a word. The table of docs/device.md.
#include "device/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using enum Direction;
using testing::HasSubstr;

struct OneFault final : Faults {
  std::optional<std::uint64_t> of_message, of_credit;
  Fate fate;
  std::optional<std::int32_t> stuck_pe;
  Fate message(const MessageKey& m) override { return of_message == m.sequence ? fate : Fate(); }
  Fate credit(std::int32_t, Direction, std::uint64_t count) override { return of_credit == count ? fate : Fate(); }
  std::optional<Time> stuck(std::int32_t pe) override {
    return stuck_pe == pe ? std::optional(Time::ns(200)) : std::nullopt;
  }
};

constexpr int messages = 20;
sim::Process<> sends(Pe& pe, Address source) {
  for (int i = 0; i < messages; ++i) co_await pe.send(E, source + static_cast<Address>(i), 200);
}
sim::Process<> receives(Pe& pe, TestMachine& m, std::vector<std::vector<std::byte>>& got) {
  for (int i = 0; i < messages; ++i) {
    const ReceivedSlot slot = co_await pe.recv(W);
    got.push_back(m.bytes(slot.slot.address, slot.slot.nbytes));
    co_await pe.release(slot);
  }
}

/// "right" if every byte is; else the class of what was thrown, and its text.
std::string outcome(OneFault& fault, CreditWait wait = CreditWait::posted, Time* end = nullptr,
                    const fabric::Topology& t = fabric::profile("tiny")) {
  TestMachine m(t);
  m.machine().inject(fault);
  IpcqConfig c;
  c.n_slots = 4, c.credit_wait = wait;
  m.pair(0, 4, c);
  std::vector<std::vector<std::byte>> got;
  m.machine().launch(0, sends(m.pe(0), m.tensor(BufferKind::tcm, 0, 256)));
  m.machine().launch(4, receives(m.pe(4), m, got));
  try {
    m.machine().run();
  } catch (const DeadlockError& e) {
    return std::string("deadlock: ") + e.what();
  } catch (const ViolationError& e) {
    return std::string("violation: ") + e.what();
  }
  for (unsigned i = 0; i < got.size(); ++i)
    if (got[i] != TestMachine::pattern(200, 1 + i)) return "wrong data";
  if (end) *end = m.simulation.now();
  return got.size() == messages ? "right" : "too few";
}
OneFault message_fault(std::uint64_t n, Fate fate) {
  OneFault f;
  f.of_message = n, f.fate = fate;
  return f;
}
OneFault credit_fault(std::uint64_t n, Fate fate) {
  OneFault f;
  f.of_credit = n, f.fate = fate;
  return f;
}
constexpr Fate lost{true, false, {}}, twice{false, true, {}};
const Fate late{false, false, Time::us(2)};

TEST(Faults, without_any_the_data_is_right) {
  OneFault none;
  EXPECT_EQ(outcome(none), "right");
}

TEST(Faults, a_lost_message_is_a_deadlock_that_names_both_ends) {
  for (const std::uint64_t n : {0u, 5u, 19u}) {
    OneFault f = message_fault(n, lost);
    const std::string text = outcome(f);
    EXPECT_THAT(text, HasSubstr("deadlock"));
    EXPECT_THAT(text, HasSubstr("recv W"));
    EXPECT_THAT(text, HasSubstr("peer_head_cache " + std::to_string(n)));  // the last one that came is known
  }
}

TEST(Faults, a_message_that_comes_twice_is_a_violation) {
  for (const std::uint64_t n : {0u, 7u, 19u}) {
    OneFault f = message_fault(n, twice);
    EXPECT_THAT(outcome(f), HasSubstr("violation: sequence " + std::to_string(n)));
  }
}

TEST(Faults, a_message_that_others_overtake_is_still_received_in_its_turn) {
  for (const std::uint64_t n : {0u, 6u, 19u}) {
    OneFault f = message_fault(n, late);
    EXPECT_EQ(outcome(f), "right");
  }
}

TEST(Faults, a_lost_credit_is_made_good_by_the_next_and_the_last_one_is_named) {
  OneFault middle = credit_fault(9, lost);
  EXPECT_EQ(outcome(middle), "right");
  OneFault last = credit_fault(19, lost);
  EXPECT_THAT(outcome(last), HasSubstr("violation: a credit never arrived: sip0.cube1.pe0 has freed 20 messages"));
}

TEST(Faults, a_credit_that_comes_twice_or_late_changes_nothing) {
  for (const Fate& fate : {twice, late})
    for (const CreditWait wait : {CreditWait::posted, CreditWait::blocking}) {
      OneFault f = credit_fault(4, fate);
      EXPECT_EQ(outcome(f, wait), "right");
    }
}

TEST(Faults, a_stuck_pe_is_a_deadlock_that_names_it_and_who_waits_for_it) {
  OneFault receiver;
  receiver.stuck_pe = 4;
  const std::string text = outcome(receiver);
  EXPECT_THAT(text, HasSubstr("(sip0.cube1.pe0): waits for an operation that never ends"));
  EXPECT_THAT(text, HasSubstr("(sip0.cube0.pe0): send E at faults_test.cpp:"));
  OneFault sender;
  sender.stuck_pe = 0;
  EXPECT_THAT(outcome(sender), HasSubstr("recv W"));
}

TEST(Faults, a_slow_link_costs_time_and_no_data) {
  OneFault none;
  Time fast, slow;
  EXPECT_EQ(outcome(none, CreditWait::posted, &fast), "right");
  fabric::Topology t = fabric::profile("tiny");
  t.ucie_bandwidth = Bandwidth::gb_per_s(1);
  EXPECT_EQ(outcome(none, CreditWait::posted, &slow, t), "right");
  EXPECT_GT(slow, fast + Time::us(3));  // 20 x 200 B at 1 GB/s are 4 us
}

}  // namespace
}  // namespace tutti::device
