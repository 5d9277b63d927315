#include "device/mmu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using testing::HasSubstr;

std::string error(const std::function<void()>& f) {
  try {
    f();
  } catch (const MmuError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Mmu, a_page_that_is_in_the_tlb_costs_a_hit_and_another_one_a_walk_more) {
  Mmu mmu("pe", {});
  mmu.map({0x10000}, 0x20000, 8192);
  const auto first = mmu.translate({0x10010});
  EXPECT_EQ(first.address, 0x20010u);
  EXPECT_EQ(first.time, Time::ns(1 + 40));
  EXPECT_EQ(mmu.translate({0x10fff}).time, Time::ns(1));
  const auto both = mmu.translate({0x10ff0}, 32);  // the second page is not in the TLB yet
  EXPECT_EQ(both.address, 0x20ff0u);
  EXPECT_EQ(both.time, Time::ns(1 + 1 + 40));
  EXPECT_EQ(mmu.walks(), 2u);
  EXPECT_EQ(mmu.hits(), 2u);
}

TEST(Mmu, the_tlb_forgets_the_page_used_longest_ago) {
  MachineSpec::Mmu spec;
  spec.tlb_entries = 2;
  Mmu mmu("pe", spec);
  mmu.map({0}, 0x100000, 3 * 4096);
  for (const std::uint64_t page : {0u, 1u, 0u, 2u}) mmu.translate({page * 4096});  // 2 pushes 1 out
  EXPECT_EQ(mmu.translate({0}).time, Time::ns(1));
  EXPECT_EQ(mmu.translate({4096}).time, Time::ns(41));
}

// Trap 5 of spec 2.4: a page that held several shards misrouted all but the last.
TEST(Mmu, trap_5_a_page_is_mapped_once_and_ranges_are_whole_pages) {
  Mmu mmu("sip0.cube0.pe1", {});
  mmu.map({0x4000}, 0x8000, 4096);
  EXPECT_THAT(
      error([&] { mmu.map({0x3000}, 0x20000, 3 * 4096); }),
      HasSubstr(
          "sip0.cube0.pe1: map of 12288 B at VA 0x3000 overlaps the page at VA 0x4000, which is mapped to 0x8000"));
  EXPECT_EQ(mmu.pages(), 1u);  // nothing of the refused range
  EXPECT_THAT(error([&] { mmu.map({0x5000}, 0x9000, 2048); }), HasSubstr("not whole pages of 4096 B"));
  EXPECT_THAT(error([&] { mmu.map({0x5100}, 0x9000, 4096); }), HasSubstr("not whole pages"));
  EXPECT_THAT(error([&] { mmu.map({0x5000}, 0x9100, 4096); }), HasSubstr("not the beginning of a page"));
  EXPECT_THAT(error([&] { mmu.map({std::uint64_t{1} << 48}, 0, 4096); }), HasSubstr("beyond 48 bits"));
}

TEST(Mmu, an_address_without_a_page_is_an_error_and_a_page_can_be_given_back) {
  Mmu mmu("pe", {});
  mmu.map({0x4000}, 0x8000, 4096);
  EXPECT_THAT(error([&] { mmu.translate({0x3fff}); }), HasSubstr("VA 0x3fff is not mapped"));
  EXPECT_THAT(error([&] { mmu.translate({0x4fff}, 2); }), HasSubstr("VA 0x5000 is not mapped"));
  mmu.translate({0x4000});
  mmu.unmap({0x4000}, 4096);
  EXPECT_THAT(error([&] { mmu.translate({0x4000}); }), HasSubstr("not mapped"));
  EXPECT_THAT(error([&] { mmu.unmap({0x4000}, 4096); }), HasSubstr("not mapped"));
  mmu.map({0x4000}, 0xc000, 4096);
  EXPECT_EQ(mmu.translate({0x4004}).address, 0xc004u);
  EXPECT_EQ(mmu.translate({0x4004}).time, Time::ns(1));
  mmu.map({0x5000}, 0x20000, 4096);
  EXPECT_THAT(error([&] { mmu.translate({0x4ff0}, 32); }), HasSubstr("not in one piece"));
}

TEST(Mmu, a_kernel_on_a_virtual_address_pays_the_look_up_and_works_on_the_bytes_behind_it) {
  TestMachine m;
  Pe& pe = m.pe(0);
  const Address at = (m.machine().allocate(BufferKind::hbm, 0, 8192) + 4095) / 4096 * 4096;
  m.machine().memory().write(at, TestMachine::pattern(256, 9));
  pe.mmu().map({0x7000}, at, 4096);
  struct Kernel {
    static sim::Process<> run(Pe& p, Address to, Time& looked_up, sim::Simulation& s) {
      const Address from = co_await p.translate({0x7000}, 256);
      looked_up = s.now();
      co_await p.load(to, from, 256);
    }
  };
  const Address to = m.machine().allocate(BufferKind::tcm, 0, 256);
  Time looked_up;
  m.machine().launch(0, Kernel::run(pe, to, looked_up, m.simulation));
  m.machine().run();
  EXPECT_EQ(looked_up, Time::ns(41));
  EXPECT_EQ(m.bytes(to, 256), TestMachine::pattern(256, 9));
}

TEST(TcmBanks, the_map_of_the_tcm_has_rings_in_a_bank_of_their_own) {
  const MachineSpec s;
  EXPECT_EQ(bank_of(s, 0), 0);
  EXPECT_EQ(bank_of(s, 0xDFFFFF), 13);  // tensors: 14 MiB
  EXPECT_EQ(bank_of(s, 0xE00000), 14);  // rings: 1 MiB
  EXPECT_EQ(bank_of(s, 0xEFFFFF), 14);
  EXPECT_EQ(bank_of(s, 0xF00000), 15);  // metadata and scratch
}

sim::Process<> sends(Pe& pe, Address source, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(Direction::E, source, 4096);
}
sim::Process<> receives_and_reduces(Pe& pe, Address mine, int n) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(Direction::W);
    co_await pe.reduce(memory::ReduceOp::sum, memory::DType::i32, mine, slot.slot.address, 1024);
    co_await pe.release(slot);
  }
}
Time pipeline(bool conflicts, Bytes rings_at, std::uint64_t& waits) {
  MachineSpec s;
  s.tcm_bank_conflicts = conflicts;
  s.ipcq_base = rings_at;
  TestMachine m(fabric::profile("tiny"), s);
  IpcqConfig c;
  c.credit_wait = CreditWait::posted;
  m.pair(0, 1, c);
  const Address mine = m.tensor(BufferKind::tcm, 1, 4096);
  m.machine().launch(0, sends(m.pe(0), m.tensor(BufferKind::tcm, 0, 4096), 30));
  m.machine().launch(1, receives_and_reduces(m.pe(1), mine, 30));
  m.machine().run();
  waits = m.machine().memory().bank_conflicts();
  return m.pe(1).kernel_end;
}

// R142: the risk that ADR-0023 D22 names, and its mitigation.
TEST(TcmBanks, slots_beside_tensors_conflict_and_slots_in_a_bank_of_their_own_only_with_each_other) {
  std::uint64_t none = 0, own = 0, shared = 0;
  const Time without = pipeline(false, Bytes(0xE00000), none);
  const Time dedicated = pipeline(true, Bytes(0xE00000), own);
  const Time beside = pipeline(true, Bytes(0x80000), shared);
  EXPECT_EQ(none, 0u);
  EXPECT_GE(dedicated, without);
  EXPECT_GT(shared, own);
  EXPECT_GE(beside, dedicated);
}

TEST(TcmBanks, an_access_waits_for_the_one_before_it_in_its_bank_and_for_no_other) {
  MachineSpec s;
  s.tcm_bank_conflicts = true;
  TestMachine m(fabric::profile("tiny"), s);
  MemorySystem& memory = m.machine().memory();
  const Address low = m.machine().allocate(BufferKind::tcm, 0, 64);
  EXPECT_EQ(memory.claim_banks(low, 4096, Time::ns(10), Time::ns(8)), Time());
  EXPECT_EQ(memory.claim_banks(low, 64, Time::ns(12), Time::ns(1)), Time::ns(6));         // until 18
  EXPECT_EQ(memory.claim_banks(low + (2 << 20), 64, Time::ns(12), Time::ns(1)), Time());  // another bank
  EXPECT_EQ(memory.claim_banks(low, 64, Time::ns(30), Time::ns(1)), Time());
  EXPECT_EQ(memory.bank_conflicts(), 1u);
}

}  // namespace
}  // namespace tutti::device
