#include "device/hazard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using enum Direction;
using testing::HasSubstr;

sim::Process<> overwrites(Pe& pe, Address source, Address other, Time pause, sim::Simulation& s) {
  co_await pe.send(E, source, 4096);
  co_await s.delay(pause);
  co_await pe.copy(source, other, 64);
}
sim::Process<> takes(Pe& pe, Address into, int n, Time pause, sim::Simulation& s) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(W);
    co_await s.delay(pause);
    co_await pe.copy(into, slot.slot.address, slot.slot.nbytes);
    co_await pe.release(slot);
  }
}
sim::Process<> repeats(Pe& pe, Address source, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(E, source, 64);
}

std::vector<std::string> stream(SlotRelease release, Time pause) {
  IpcqConfig c;
  c.slot_release = release;
  c.n_slots = 2;
  TestMachine m;
  m.pair(0, 1, c);
  HazardDetector d(16, 2);
  m.machine().listen(d);
  m.machine().launch(0, repeats(m.pe(0), m.tensor(BufferKind::tcm, 0, 64), 10));
  m.machine().launch(1, takes(m.pe(1), m.machine().allocate(BufferKind::tcm, 1, 64), 10, pause, m.simulation));
  m.machine().run();
  return d.hazards();
}

TEST(Hazard, slots_released_after_their_use_have_none) {
  EXPECT_TRUE(stream(SlotRelease::scoped, Time()).empty());
  EXPECT_TRUE(stream(SlotRelease::scoped, Time::us(1)).empty());
}

TEST(Hazard, the_seeds_credit_inside_recv_lets_a_sender_overwrite_a_slot_in_use) {
  const auto found = stream(SlotRelease::at_recv, Time::us(1));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0], HasSubstr("PE 0 send E of 64 B"));
  EXPECT_THAT(found[0], HasSubstr("PE 1 copy"));
  EXPECT_THAT(found[0], HasSubstr("hazard_test.cpp:"));
}

TEST(Hazard, a_source_overwritten_after_a_posted_send_is_found_whatever_the_timing) {
  for (const Time pause : {Time(), Time::us(10)}) {
    TestMachine m;
    m.pair(0, 1);
    HazardDetector d(16, 8);
    m.machine().listen(d);
    m.machine().launch(0, overwrites(m.pe(0), m.tensor(BufferKind::tcm, 0, 4096), m.tensor(BufferKind::tcm, 0, 64),
                                     pause, m.simulation));
    m.machine().launch(1, takes(m.pe(1), m.machine().allocate(BufferKind::tcm, 1, 4096), 1, Time(), m.simulation));
    m.machine().run();
    ASSERT_EQ(d.hazards().size(), 1u);
    EXPECT_THAT(d.hazards()[0], HasSubstr("PE 0 send E of 4096 B"));
    EXPECT_THROW(d.check(), ViolationError);
  }
}

TEST(Hazard, a_receive_of_a_slot_that_is_not_written_is_found) {
  HazardDetector d(2, 8);
  const MessageKey m{1, W, 0};
  d.send_issued({m, 0, E, 64, 4096, 32, Where::current()}, Time());
  d.received({m, 4096, 32, Where::current()}, Time::ns(1));
  ASSERT_EQ(d.hazards().size(), 1u);
  EXPECT_THAT(d.hazards()[0], HasSubstr("before its slot"));
}

sim::Process<> around(Pe& pe, Address t, int rank, int ranks, std::uint64_t block) {
  const auto at = [&](int k) { return t + static_cast<Address>((k % ranks + ranks) % ranks) * block; };
  for (int s = 0; s < 2 * (ranks - 1); ++s) {
    co_await pe.send(E, at(rank - s), block);
    const ReceivedSlot r = co_await pe.recv(W);
    if (s < ranks - 1)
      co_await pe.reduce(memory::ReduceOp::sum, memory::DType::i32, at(rank - s - 1), r.slot.address,
                         static_cast<std::int64_t>(block / 4));
    else
      co_await pe.copy(at(rank - s - 1), r.slot.address, block);
    co_await pe.release(r);
  }
}

TEST(Hazard, a_ring_all_reduce_has_none_under_posted_and_blocking_credits) {
  for (const CreditWait wait : {CreditWait::blocking, CreditWait::posted}) {
    TestMachine m;
    GroupPlan plan;
    plan.config.credit_wait = wait;
    for (int i = 0; i < 16; ++i) {
      plan.pes.push_back(i);
      plan.ports.push_back({{E, (i + 1) % 16, W}, {W, (i + 15) % 16, E}});
    }
    m.machine().install(plan);
    HazardDetector d(16, 8);
    m.machine().listen(d);
    for (int i = 0; i < 16; ++i) m.machine().launch(i, around(m.pe(i), m.tensor(BufferKind::tcm, i, 1024), i, 16, 64));
    m.machine().run();
    EXPECT_TRUE(d.hazards().empty()) << d.hazards()[0];
  }
}

}  // namespace
}  // namespace tutti::device
