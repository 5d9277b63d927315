// The protocols that ADR-0023 D23 weighs against the IPCQ: closed forms, and what each costs beside it.
#include "device/ipcq/protocol.h"

#include <gtest/gtest.h>

#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using namespace exchange_test;

struct Place {
  std::int32_t peer;
  const PathNumbers* path;
};
const Place places[] = {{1, &in_cube}, {4, &cube_to_cube}, {16, &sip_to_sip}};

Times exchanged(Protocol p, const Place& at, std::uint64_t bytes) {
  IpcqConfig c;
  c.protocol = p;
  TestMachine m(two_sips(), {}, fabric_spec({}, c));
  const Times t = exchange(m, 0, at.peer, bytes, c);
  EXPECT_EQ(t.data, TestMachine::pattern(bytes, 1));
  EXPECT_EQ(m.pe(0).ipcq().queue_pair(Direction::E).peer_tail_cache, 1u);
  return t;
}

TEST(Protocol, a_doorbell_costs_a_fence_a_second_write_and_a_poll) {
  for (const Place& at : places)
    for (const std::uint64_t bytes : {0u, 64u, 4096u}) {
      const PathNumbers& path = *at.path;
      const Times t = exchanged(Protocol::doorbell, at, bytes);
      // dispatch, mmio, the credit word; data and its write; the acknowledgement; the command of the doorbell
      EXPECT_EQ(t.sent, Time::ns(2 + 4 + 5) + path(bytes) + Time::ns(4) + path(0) + Time::ns(4));
      const Time written = t.sent + path(8) + Time::ns(4);
      // polls begin at 6 ns and come every 10; the one that sees it reads the word
      const std::int64_t polls = (written.ps() - 6'000 + 9'999) / 10'000;
      EXPECT_EQ(t.received, Time::ps(6'000 + polls * 10'000) + Time::ns(5));
      // the credit word: a command, the word's write, its path
      EXPECT_EQ(t.released, t.received + Time::ns(4 + 4) + path(8));
    }
}

TEST(Protocol, a_message_queue_is_visible_when_data_and_descriptor_are_there) {
  for (const Place& at : places)
    for (const std::uint64_t bytes : {0u, 64u, 4096u}) {
      const PathNumbers& path = *at.path;
      const Times t = exchanged(Protocol::message_queue, at, bytes);
      EXPECT_EQ(t.sent, Time::ns(2 + 4 + 4 + 3));
      // the descriptor: 64 B on wires of 16 GB/s
      const Time visible = t.sent + std::max(path(bytes) + Time::ns(4), path.head + Time::ns(4) + Time::ns(1));
      EXPECT_EQ(t.received, visible + Time::ns(4));
      EXPECT_EQ(t.released, t.received + Time::ns(1) + path.head + Time::ns(1));
    }
}

TEST(Protocol, a_completion_queue_adds_the_entry_of_the_sender_and_that_of_the_receiver) {
  for (const Place& at : places)
    for (const std::uint64_t bytes : {0u, 64u, 4096u}) {
      const PathNumbers& path = *at.path;
      const Times t = exchanged(Protocol::completion_queue, at, bytes);
      EXPECT_EQ(t.sent, Time::ns(2 + 4 + 5 + 3));
      EXPECT_EQ(t.received, t.sent + path(bytes) + Time::ns(4 + 4) + Time::ns(5));
    }
}

TEST(Protocol, credit_in_data_is_the_ipcq_with_credits_that_ride_along) {
  for (const Place& at : places) {
    const Times t = exchanged(Protocol::credit_in_data, at, 64);
    EXPECT_EQ(t.received, exchanged(Protocol::ipcq, at, 64).received);
    EXPECT_EQ(t.released, t.received);
  }
}

// ADR-0023 D23: "2 to 3 times the latency" of piggybacked metadata.
TEST(Protocol, a_doorbell_takes_two_to_three_times_as_long_as_the_ipcq) {
  for (const Place& at : places) {
    const double ratio =
        exchanged(Protocol::doorbell, at, 64).received.ns() / exchanged(Protocol::ipcq, at, 64).received.ns();
    EXPECT_GT(ratio, 2);
    EXPECT_LT(ratio, 3.1);
  }
}

sim::Process<> sends(Pe& pe, Address source, std::uint64_t bytes, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(Direction::E, source + static_cast<Address>(i), bytes);
}
sim::Process<> receives(Pe& pe, int n, TestMachine& m, std::vector<std::vector<std::byte>>& got) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(Direction::W);
    got.push_back(m.bytes(slot.slot.address, slot.slot.nbytes));
    co_await pe.release(slot);
  }
}

TEST(Protocol, every_protocol_gives_the_same_data_from_and_to_every_memory_with_few_and_many_slots) {
  for (const Protocol p : {Protocol::ipcq, Protocol::doorbell, Protocol::message_queue, Protocol::completion_queue,
                           Protocol::credit_in_data})
    for (const BufferKind kind : {BufferKind::tcm, BufferKind::hbm, BufferKind::sram})
      for (const std::uint32_t slots : {1u, 2u, 8u}) {
        IpcqConfig c;
        c.protocol = p, c.buffer_kind = kind, c.n_slots = slots;
        TestMachine m(two_sips(), {}, fabric_spec({}, c));
        m.pair(0, 4, c);
        std::vector<std::vector<std::byte>> got;
        m.machine().launch(0, sends(m.pe(0), m.tensor(kind, 0, 256), 200, 20));
        m.machine().launch(4, receives(m.pe(4), 20, m, got));
        m.machine().run();
        ASSERT_EQ(got.size(), 20u);
        for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(got[i], TestMachine::pattern(200, 1 + i));
      }
}

}  // namespace
}  // namespace tutti::device
