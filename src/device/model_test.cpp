// What the machine as a whole shows: the credit limit, overhead against raw DMA, virtual channels, shared memories,
// and the traps of spec 2.4 by their numbers, in the order of that list.
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using enum Direction;

fabric::Topology two_sips() {
  fabric::Topology t = fabric::profile("tiny");
  t.sips = 2;
  return t;
}

sim::Process<> stream_out(Pe& pe, Address source, std::uint64_t bytes, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(E, source, bytes);
}
sim::Process<> stream_in(Pe& pe, int n, std::vector<Time>& at, sim::Simulation& s) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(W);
    at.push_back(s.now());
    co_await pe.release(slot);
  }
}

/// GB/s of a long stream of 4 KiB messages across SIPs, after the start.
double cross_sip_rate(std::uint32_t n_slots) {
  IpcqConfig c;
  c.n_slots = n_slots;
  c.credit_wait = CreditWait::posted;
  TestMachine m(two_sips());
  m.pair(0, 16, c);
  std::vector<Time> at;
  const int n = 400;
  m.machine().launch(0, stream_out(m.pe(0), m.tensor(BufferKind::tcm, 0, 4096), 4096, n));
  m.machine().launch(16, stream_in(m.pe(16), n, at, m.simulation));
  m.machine().run();
  return 4096.0 * 200 / (at[399] - at[199]).ns();
}

TEST(Model, eight_slots_cap_a_queue_pair_across_sips_near_43_6_of_57_and_about_eleven_fill_it) {
  const double eight = cross_sip_rate(8);
  EXPECT_NEAR(eight, 43.6, 0.05 * 43.6);
  EXPECT_NEAR(cross_sip_rate(4), eight / 2, 0.01 * eight);  // proportional while credits bind
  EXPECT_GT(cross_sip_rate(11), 0.98 * 57);
  EXPECT_LE(cross_sip_rate(16), 57.0 + 1e-9);  // never above the link
}

struct CopyEnd final : Recorder {
  Time end;
  void copied(const CopyRecord&, Time, Time e) override { end = e; }
};

// T5 of ADR-0023 D13.
TEST(Model, a_send_and_receive_cost_less_than_100_ns_more_than_a_raw_dma_write_when_credits_are_posted) {
  for (const std::int32_t peer : {1, 4, 16})
    for (const std::uint64_t bytes : {16u, 4096u}) {
      TestMachine raw(two_sips());
      CopyEnd end;
      raw.machine().listen(end);
      raw.machine().launch(0, raw.pe(0).copy(raw.machine().allocate(BufferKind::tcm, peer, bytes),
                                             raw.tensor(BufferKind::tcm, 0, bytes), bytes));
      raw.machine().run();
      IpcqConfig c;
      c.credit_wait = CreditWait::posted;
      TestMachine ipcq(two_sips());
      ipcq.pair(0, peer, c);
      std::vector<Time> at;
      ipcq.machine().launch(0, stream_out(ipcq.pe(0), ipcq.tensor(BufferKind::tcm, 0, bytes), bytes, 1));
      ipcq.machine().launch(peer, stream_in(ipcq.pe(peer), 1, at, ipcq.simulation));
      ipcq.machine().run();
      EXPECT_GE(at[0], end.end);
      EXPECT_LT(at[0] - end.end, Time::ns(100));
    }
}

/// When a 64 B message is there that is sent while 64 KiB leave the same PE, on the other channel or on its own.
Time behind_a_large_transfer(bool other_channel) {
  IpcqConfig c;
  c.slot_size = 65536;
  TestMachine m;
  m.pair(0, 1, c);
  std::vector<Time> at;
  const Address large = m.tensor(BufferKind::tcm, 0, 65536);
  struct Kernel {
    static sim::Process<> sends(Pe& pe, Address a, bool both) {
      if (both) co_await pe.send(E, a, 65536);
      co_await pe.send(E, a, 64);
    }
  };
  if (other_channel)
    m.simulation.spawn(m.pe(0).copy(m.machine().allocate(BufferKind::hbm, 0, 65536), large, 65536), "a large store");
  m.machine().launch(0, Kernel::sends(m.pe(0), large, !other_channel));
  m.machine().launch(1, stream_in(m.pe(1), other_channel ? 1 : 2, at, m.simulation));
  m.machine().run();
  return at.back();
}

TEST(Model, a_large_transfer_of_the_compute_channel_does_not_hold_up_a_send) {
  // Alone: 9 ns to issue, 12.3 + 0.5 ns of path, 5 to write, 2 to receive. With a chunk of 256 B (2 ns) before it on
  // the first link at most two more.
  const Time alone = Time::ns(9 + 5 + 2) + Time::ps(12'300 + 500);
  EXPECT_LE(behind_a_large_transfer(true), alone + Time::ns(4));
  EXPECT_GT(behind_a_large_transfer(false), alone + Time::ns(500));  // 64 KiB at 128 GB/s are 512 ns
}

Time last_load(BufferKind kind, int pes) {
  TestMachine m;
  for (int i = 0; i < pes; ++i)
    m.machine().launch(i,
                       m.pe(i).load(m.machine().allocate(BufferKind::tcm, i, 16384), m.tensor(kind, i, 16384), 16384));
  m.machine().run();
  return m.simulation.now();
}

TEST(Model, the_sram_is_shared_by_the_pes_of_a_cube_and_a_slice_of_hbm_is_not) {
  // Each load is 16384 B at 128 GB/s: 128 ns.
  EXPECT_GE(last_load(BufferKind::sram, 4) - last_load(BufferKind::sram, 1), Time::ns(3 * 128 - 20));
  EXPECT_EQ(last_load(BufferKind::hbm, 4), last_load(BufferKind::hbm, 1));
}

// Trap 1: pe_test.cpp, a_ring_of_two_whose_ports_lead_to_the_same_peer_completes.
TEST(Model, trap_2_no_credit_is_free_and_no_route_is_an_error) {
  TestMachine m;
  for (std::int32_t a = 0; a < m.machine().size(); ++a)
    for (std::int32_t b = 0; b < m.machine().size(); ++b)
      if (a != b) {
        EXPECT_GT(m.machine().fabric().path_latency(m.pe(a).node(), m.pe(b).node(), 16), Time::ns(12));
      }
  fabric::Graph g;
  const auto x = g.add_node("x.pe_dma", "pe_dma", Time()), y = g.add_node("y.pe_dma", "pe_dma", Time());
  EXPECT_THROW(fabric::shortest_route(g, x, y), ConfigError);
}

TEST(Model, trap_3_every_byte_of_a_message_pays_bandwidth_on_every_link_of_its_path) {
  TestMachine m;
  m.pair(0, 4);
  std::vector<Time> at;
  m.machine().launch(0, stream_out(m.pe(0), m.tensor(BufferKind::tcm, 0, 4096), 4096, 10));
  m.machine().launch(4, stream_in(m.pe(4), 10, at, m.simulation));
  m.machine().run();
  for (const auto& hop : m.machine().fabric().path(m.pe(0).node(), m.pe(4).node()).hops)
    EXPECT_EQ(m.machine().fabric().statistics(hop.link).bytes, 10u * 4096);
}

TEST(Model, trap_6_times_of_each_pe_are_its_own_and_add_up) {
  TestMachine m;
  m.pair(0, 1);
  std::vector<Time> at;
  m.machine().launch(0, stream_out(m.pe(0), m.tensor(BufferKind::tcm, 0, 512), 512, 50));
  m.machine().launch(1, stream_in(m.pe(1), 50, at, m.simulation));
  m.machine().run();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(m.pe(i).time().total(), m.pe(i).kernel_end - m.pe(i).kernel_begin);
  EXPECT_EQ(m.pe(2).time().total(), Time());
}

TEST(Model, trap_7_each_pe_has_its_own_hbm_controller) {
  TestMachine m;
  EXPECT_NE(m.machine().memory().part(m.machine().allocate(BufferKind::hbm, 0, 64)).node,
            m.machine().memory().part(m.machine().allocate(BufferKind::hbm, 1, 64)).node);
}

TEST(Model, trap_8_a_message_to_another_cube_is_never_faster_than_one_within) {
  TestMachine m;
  Time farthest_within, nearest_outside = Time::max();
  for (std::int32_t b = 1; b < m.machine().size(); ++b) {
    const Time t = m.machine().fabric().path_latency(m.pe(0).node(), m.pe(b).node(), 64);
    if (m.pe(b).id().cube == 0)
      farthest_within = std::max(farthest_within, t);
    else
      nearest_outside = std::min(nearest_outside, t);
  }
  EXPECT_GT(nearest_outside, farthest_within);
}

// Trap 9: pe_test.cpp, a_slot_in_hbm_or_sram_costs_the_leg_to_its_memory_and_its_write,
// an_operand_in_hbm_costs_its_read.
TEST(Model, trap_10_an_address_that_is_no_physical_address_is_refused) {
  TestMachine m;
  EXPECT_THROW(m.machine().memory().part(std::uint64_t{1} << 52), ModelError);
  EXPECT_THROW(m.machine().memory().part(std::uint64_t{5} << 47), ModelError);  // a SIP that is not there
}

TEST(Model, trap_11_a_reduction_reads_its_inputs_when_it_starts) {
  TestMachine m;
  const Address a = m.machine().allocate(BufferKind::tcm, 0, 4), b = m.machine().allocate(BufferKind::tcm, 0, 4);
  const std::int32_t one = 1, two = 2, hundred = 100;
  m.machine().memory().write(a, std::as_bytes(std::span(&one, 1)));
  m.machine().memory().write(b, std::as_bytes(std::span(&two, 1)));
  struct Other {
    static sim::Process<> overwrites(MemorySystem& memory, Address at, std::int32_t value, sim::Simulation& s) {
      co_await s.delay(Time::ns(10));  // MATH works from 3 to 20 ns
      memory.write(at, std::as_bytes(std::span(&value, 1)));
    }
  };
  m.simulation.spawn(Other::overwrites(m.machine().memory(), b, hundred, m.simulation), "another writer");
  m.machine().launch(0, m.pe(0).reduce(memory::ReduceOp::sum, memory::DType::i32, a, b, 1));
  m.machine().run();
  std::int32_t sum = 0;
  const auto got = m.bytes(a, 4);
  std::memcpy(&sum, got.data(), 4);
  EXPECT_EQ(sum, 3);
}

}  // namespace
}  // namespace tutti::device
