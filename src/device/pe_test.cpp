#include "device/pe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ipcq/errors.h"
#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using enum Direction;
using namespace exchange_test;
using testing::HasSubstr;

/// dispatch + mmio + send; path; slot write + meta; recv. Then credit_gen and the credit's path.
void expect_closed_form(const PathNumbers& path, const fabric::Topology& topology, std::int32_t peer) {
  for (const std::uint64_t bytes : {0u, 1u, 16u, 255u, 4096u}) {
    TestMachine m(topology);
    const Times t = exchange(m, 0, peer, bytes);
    EXPECT_EQ(t.sent, Time::ns(2 + 4 + 3)) << bytes;
    const Time visible = t.sent + path(bytes) + Time::ns(4 + 1);
    EXPECT_EQ(t.received, visible + Time::ns(2)) << bytes;
    EXPECT_EQ(t.released, t.received + Time::ns(1) + path(16)) << bytes;
    EXPECT_EQ(t.bytes, bytes);
    EXPECT_EQ(t.data, TestMachine::pattern(bytes, 1));
  }
}

TEST(Pe, a_send_and_a_receive_in_a_cube_take_the_closed_form_to_the_picosecond) {
  expect_closed_form(in_cube, fabric::profile("tiny"), 1);
}

TEST(Pe, a_send_and_a_receive_from_cube_to_cube_take_the_closed_form_to_the_picosecond) {
  expect_closed_form(cube_to_cube, fabric::profile("tiny"), 4);
}

TEST(Pe, a_send_and_a_receive_from_sip_to_sip_take_the_closed_form_to_the_picosecond) {
  expect_closed_form(sip_to_sip, two_sips(), 16);
}

TEST(Pe, a_posted_release_does_not_wait_and_bottleneck_latency_counts_the_bytes_only) {
  IpcqConfig c;
  c.credit_wait = CreditWait::posted;
  TestMachine posted;
  const Times p = exchange(posted, 0, 1, 64, c);
  EXPECT_EQ(p.released, p.received);
  c = {};
  c.credit_latency = CreditLatency::bottleneck_only;
  TestMachine narrow;
  const Times n = exchange(narrow, 0, 1, 64, c);
  EXPECT_EQ(n.released, n.received + Time::ns(1) + Time::ps(125));  // 16 B at 128 GB/s
}

// ---- Slots in HBM and SRAM: the message stops at the receiver's DMA and takes a second leg to the memory.
TEST(Pe, a_slot_in_hbm_or_sram_costs_the_leg_to_its_memory_and_its_write) {
  for (const std::uint64_t bytes : {16u, 4096u}) {
    IpcqConfig c;
    c.buffer_kind = BufferKind::hbm;
    TestMachine hbm;
    const Times h = exchange(hbm, 0, 1, bytes, c);
    // DMA and router to the slice's controller at the same router: 256 GB/s there, 128 into the router.
    const PathNumbers to_hbm{Time::ns(4 + 2), Bandwidth::gb_per_s(128)};
    EXPECT_EQ(h.received, Time::ns(9) + in_cube(bytes) + to_hbm(bytes) + Time::ns(60 + 1) + Time::ns(2));
    c.buffer_kind = BufferKind::sram;
    TestMachine sram;
    const Times s = exchange(sram, 0, 1, bytes, c);
    // PE 1 at (0,1) to the SRAM at (1,0): 3 routers, 2 hops.
    const PathNumbers to_sram{Time::ns(4 + 3 * 2) + Time::ps(600), Bandwidth::gb_per_s(128)};
    EXPECT_EQ(s.received, Time::ns(9) + in_cube(bytes) + to_sram(bytes) + Time::ns(12 + 1) + Time::ns(2));
    EXPECT_EQ(s.data, TestMachine::pattern(bytes, 1));
  }
}

sim::Process<> reduce_once(Pe& pe, Address a, Address b, std::int64_t n, Time& end, sim::Simulation& s) {
  co_await pe.reduce(memory::ReduceOp::sum, memory::DType::f32, a, b, n);
  end = s.now();
}

TEST(Pe, a_reduction_in_tcm_costs_issue_fetch_startup_stream_and_store) {
  TestMachine m;
  std::vector<float> ones(1024, 1.0f), twos(1024, 2.0f);
  const Address a = m.machine().allocate(BufferKind::tcm, 0, 4096), b = m.machine().allocate(BufferKind::tcm, 0, 4096);
  m.machine().memory().write(a, std::as_bytes(std::span(ones)));
  m.machine().memory().write(b, std::as_bytes(std::span(twos)));
  Time end;
  m.machine().launch(0, reduce_once(m.pe(0), a, b, 1024, end, m.simulation));
  m.machine().run();
  EXPECT_EQ(end, Time::ns(2 + 1 + 5 + 8 + 4096 / 512 + 4));
  std::vector<float> threes(1024, 3.0f);
  const auto got = m.bytes(a, 4096);
  EXPECT_EQ(std::memcmp(got.data(), threes.data(), 4096), 0);
}

TEST(Pe, an_operand_in_hbm_costs_its_read) {
  TestMachine m;
  std::vector<float> ones(64, 1.0f);
  const Address a = m.machine().allocate(BufferKind::tcm, 0, 256), b = m.machine().allocate(BufferKind::hbm, 0, 256);
  m.machine().memory().write(a, std::as_bytes(std::span(ones)));
  m.machine().memory().write(b, std::as_bytes(std::span(ones)));
  Time end;
  m.machine().launch(0, reduce_once(m.pe(0), a, b, 64, end, m.simulation));
  m.machine().run();
  const Time there = Time::ns(4 + 2), back = Time::ns(2 + 4) + Time::ns(2);  // 256 B at 128 GB/s
  // 256 B at 512 B/ns are 500 ps
  EXPECT_EQ(end, Time::ns(2 + 1) + there + Time::ns(100) + back + Time::ns(5 + 8) + Time::ps(500) + Time::ns(4));
}

sim::Process<> ring_of_two(Pe& pe, Address east, Address west, std::vector<int>& log) {
  co_await pe.send(E, east, 64);
  co_await pe.send(W, west, 32);
  const ReceivedSlot a = co_await pe.recv(W);
  log.push_back(static_cast<int>(a.slot.nbytes));
  co_await pe.release(a);
  const ReceivedSlot b = co_await pe.recv(E);
  log.push_back(static_cast<int>(b.slot.nbytes));
  co_await pe.release(b);
}

// Trap 1 of spec 2.4: direction by source rank is ambiguous when both ports lead to one peer.
TEST(Pe, a_ring_of_two_whose_ports_lead_to_the_same_peer_completes) {
  TestMachine m;
  m.pair(0, 1, {}, true);
  std::vector<int> log[2];
  for (int i = 0; i < 2; ++i)
    m.machine().launch(
        i, ring_of_two(m.pe(i), m.tensor(BufferKind::tcm, i, 64), m.tensor(BufferKind::tcm, i, 32), log[i]));
  m.machine().run();
  EXPECT_EQ(log[0], (std::vector{64, 32}));
  EXPECT_EQ(log[1], (std::vector{64, 32}));
}

sim::Process<> ends_at_once(Pe&) { co_return; }
sim::Process<> receives(Pe& pe, Direction d, int n) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(d);
    co_await pe.release(slot);
  }
}
sim::Process<> sends(Pe& pe, Direction d, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(d, 0, 0);
}

std::string dead(TestMachine& m) {
  try {
    m.machine().run();
  } catch (const DeadlockError& e) {
    return e.what();
  }
  return "no deadlock";
}

TEST(Pe, a_missing_send_names_the_pe_the_port_its_pointers_and_the_peer_that_ended) {
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, ends_at_once(m.pe(0)));
  m.machine().launch(1, receives(m.pe(1), W, 1));
  const std::string text = dead(m);
  EXPECT_THAT(text, HasSubstr("rank 1 (sip0.cube0.pe1): recv W at pe_test.cpp:"));
  EXPECT_THAT(text,
              HasSubstr("W -> sip0.cube0.pe0: my_head 0 my_tail 0 peer_head_cache 0 peer_tail_cache 0 n_slots 8"));
  EXPECT_THAT(text, HasSubstr("rank 0 (sip0.cube0.pe0) has ended"));
}

TEST(Pe, ranks_that_wait_for_each_other_are_named_as_a_cycle) {
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, receives(m.pe(0), E, 1));
  m.machine().launch(1, receives(m.pe(1), W, 1));
  EXPECT_THAT(dead(m), HasSubstr("cycle: rank 0 (recv E) -> rank 1 (recv W) -> rank 0"));
}

TEST(Pe, a_peer_that_never_receives_stops_a_sender_after_n_slots) {
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, sends(m.pe(0), E, 9));
  m.machine().launch(1, ends_at_once(m.pe(1)));
  EXPECT_THAT(dead(m), HasSubstr("send E"));
  EXPECT_EQ(m.pe(0).ipcq().queue_pair(E).my_head, 8u);
}

TEST(Pe, messages_left_unread_are_a_leak) {
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, sends(m.pe(0), E, 2));
  m.machine().launch(1, receives(m.pe(1), W, 1));
  EXPECT_THROW(m.machine().run(), IpcqLeak);
}

TEST(Pe, a_port_without_neighbour_and_a_message_larger_than_a_slot_are_errors_at_once) {
  TestMachine m;
  m.pair(0, 1);
  m.machine().launch(0, sends(m.pe(0), N, 1));
  EXPECT_THROW(m.machine().run(), IpcqInvalidDirection);
  TestMachine large;
  large.pair(0, 1);
  Times t;
  large.machine().launch(0, send_one(large.pe(0), 0, 4097, t, large.simulation));
  EXPECT_THROW(large.machine().run(), IpcqSlotOverflow);
}

}  // namespace
}  // namespace tutti::device
