#include "device/ipcq/queue_pair.h"

#include <gtest/gtest.h>

#include "device/ipcq/errors.h"

namespace tutti::device {
namespace {

constexpr std::uint64_t near_wrap = 0xFFFF'FFFEu;

IpcqInitEntry entry(std::uint32_t n_slots = 2, std::uint32_t slot_size = 64) {
  IpcqEndpoint peer;
  peer.pe = 1;
  peer.rx_base_pa = 0x2000;
  peer.n_slots = n_slots;
  peer.slot_size = slot_size;
  return {Direction::E, peer, 0x1000, 0, n_slots, slot_size};
}

IpcqDmaToken token(std::uint64_t sequence, std::uint32_t n_slots, std::uint32_t nbytes = 8) {
  IpcqDmaToken t;
  t.dst_addr = 0x1000 + sequence % n_slots * 64;
  t.sender_seq = static_cast<std::uint32_t>(sequence);
  t.nbytes = nbytes;
  return t;
}

TEST(QueuePair, a_send_goes_to_the_peers_slot_of_its_head_and_stops_when_all_are_taken) {
  IpcqQueuePair q(entry());
  EXPECT_EQ(q.take_send(64).dst_pa, 0x2000u);
  EXPECT_EQ(q.take_send(0).dst_pa, 0x2040u);
  EXPECT_TRUE(q.full());
  EXPECT_TRUE(q.credit(1));
  EXPECT_FALSE(q.full());
  const auto third = q.take_send(1);
  EXPECT_EQ(third.dst_pa, 0x2000u);
  EXPECT_EQ(third.sender_seq, 2u);
}

TEST(QueuePair, a_send_larger_than_a_slot_is_refused_and_changes_nothing) {
  IpcqQueuePair q(entry());
  EXPECT_THROW(q.take_send(65), IpcqSlotOverflow);
  EXPECT_EQ(q.my_head, 0u);
}

TEST(QueuePair, a_message_that_overtakes_stays_hidden_until_the_older_one_is_there) {
  IpcqQueuePair q(entry());
  EXPECT_FALSE(q.arrive(token(1, 2)));
  EXPECT_FALSE(q.can_receive());
  EXPECT_TRUE(q.arrive(token(0, 2)));
  EXPECT_EQ(q.peer_head_cache, 2u);
}

TEST(QueuePair, a_repeated_sequence_is_a_violation) {
  IpcqQueuePair q(entry());
  q.arrive(token(0, 2));
  EXPECT_THROW(q.arrive(token(0, 2)), ViolationError);
}

TEST(QueuePair, a_sequence_in_another_slot_than_its_own_is_a_violation) {
  IpcqQueuePair q(entry());
  IpcqDmaToken t = token(0, 2);
  t.dst_addr += 64;
  EXPECT_THROW(q.arrive(t), ViolationError);
}

TEST(QueuePair, a_held_slot_cannot_be_overwritten) {
  IpcqQueuePair q(entry());
  q.arrive(token(0, 2));
  const auto slot = q.take_receive();
  EXPECT_THROW(q.arrive(token(2, 2)), ViolationError);
  EXPECT_TRUE(q.release(slot));
  EXPECT_TRUE(q.arrive(token(1, 2)));
  EXPECT_TRUE(q.arrive(token(2, 2)));
}

TEST(QueuePair, credits_wait_for_the_oldest_slot) {
  IpcqQueuePair q(entry());
  q.arrive(token(0, 2));
  q.arrive(token(1, 2));
  const auto first = q.take_receive();
  const auto second = q.take_receive();
  EXPECT_FALSE(q.release(second));
  EXPECT_EQ(q.credited(), 0u);
  EXPECT_TRUE(q.release(first));
  EXPECT_EQ(q.credited(), 2u);
  EXPECT_THROW(q.release(first), ViolationError);
}

TEST(QueuePair, a_stale_credit_changes_nothing_and_one_from_the_future_is_a_violation) {
  IpcqQueuePair q(entry());
  q.take_send(1);
  q.take_send(1);
  EXPECT_TRUE(q.credit(2));
  EXPECT_FALSE(q.credit(1));
  EXPECT_EQ(q.peer_tail_cache, 2u);
  EXPECT_THROW(q.credit(3), ViolationError);
}

TEST(QueuePair, sequences_pass_the_32_bit_wrap_in_both_halves_for_several_laps) {
  for (const std::uint32_t n : {1u, 2u, 3u, 8u}) {
    IpcqQueuePair q(entry(n), near_wrap);
    for (std::uint64_t s = near_wrap; s < near_wrap + 20; ++s) {
      const auto sent = q.take_send(8);
      EXPECT_EQ(sent.sender_seq, static_cast<std::uint32_t>(s));
      EXPECT_TRUE(q.arrive(token(s, n)));
      const auto slot = q.take_receive();
      EXPECT_EQ(slot.sequence, s);
      EXPECT_TRUE(q.release(slot));
      EXPECT_TRUE(q.credit(static_cast<std::uint32_t>(q.credited())));
    }
    EXPECT_EQ(q.unread() + q.unreleased(), 0u);
  }
}

TEST(QueuePair, geometry_must_equal_the_peers) {
  auto e = entry();
  e.peer.n_slots = 4;
  EXPECT_THROW(IpcqQueuePair{e}, ModelError);
  EXPECT_THROW(IpcqQueuePair{entry(0)}, ModelError);
}

TEST(QueuePair, an_arrival_is_matched_by_address_when_both_ports_lead_to_one_peer) {
  IpcqQueuePair east(entry());
  auto e = entry();
  e.direction = Direction::W;
  e.my_rx_base_pa = 0x3000;
  IpcqQueuePair west(e);
  const auto t = token(1, 2);
  EXPECT_TRUE(east.owns(t.dst_addr));
  EXPECT_FALSE(west.owns(t.dst_addr));
  EXPECT_FALSE(east.owns(0x1080));
}

TEST(Direction, names_go_both_ways) {
  for (const auto n : direction_names) EXPECT_EQ(name(*direction_from(n)), n);
  EXPECT_FALSE(direction_from("up"));
}

}  // namespace
}  // namespace tutti::device
