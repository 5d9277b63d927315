#include "device/ipcq/queue_pair.h"

#include <fmt/format.h>

#include "device/ipcq/errors.h"
#include "device/ipcq/serial.h"

namespace tutti::device {

IpcqQueuePair::IpcqQueuePair(const IpcqInitEntry& e, std::uint64_t start)
    : direction(e.direction),
      peer(e.peer),
      rx_base(e.my_rx_base_pa),
      n_slots(e.n_slots),
      slot_size(e.slot_size),
      my_head(start),
      my_tail(start),
      peer_head_cache(start),
      peer_tail_cache(start),
      tags_(e.n_slots),
      credited_(start) {
  if (n_slots == 0 || slot_size == 0)
    throw ModelError(fmt::format("port {}: n_slots and slot_size must be at least 1", name(direction)));
  if (n_slots != peer.n_slots || slot_size != peer.slot_size)
    throw ModelError(fmt::format("port {}: {} slots of {} B here, {} of {} B at the peer (I10)", name(direction),
                                 n_slots, slot_size, peer.n_slots, peer.slot_size));
}

void IpcqQueuePair::violation(const std::string& what) const { throw ViolationError(what + "; " + describe()); }

IpcqQueuePair::Send IpcqQueuePair::take_send(std::uint32_t nbytes) {
  if (nbytes > peer.slot_size)
    throw IpcqSlotOverflow(
        fmt::format("send of {} B to port {}, whose slots hold {} B", nbytes, name(direction), peer.slot_size));
  CHECK(!full(), "a send took a slot that is not free; " + describe());
  const Send s{peer.rx_base_pa + (my_head % peer.n_slots) * peer.slot_size, static_cast<std::uint32_t>(my_head)};
  ++my_head;
  return s;
}

bool IpcqQueuePair::credit(std::uint32_t consumer_seq) {
  const auto behind = static_cast<std::uint32_t>(static_cast<std::uint32_t>(peer_tail_cache) - consumer_seq);
  if (behind < 0x8000'0000u) return false;
  const std::uint64_t tail = unwrap_serial(peer_tail_cache, consumer_seq);
  if (tail > my_head) violation(fmt::format("credit {} frees what was never sent (I2)", tail));
  peer_tail_cache = tail;
  return true;
}

std::uint64_t IpcqQueuePair::sequence_of(std::uint32_t wire) const { return unwrap_serial(credited_, wire); }

bool IpcqQueuePair::arrive(const IpcqDmaToken& token) {
  if (!owns(token.dst_addr)) violation(fmt::format("an arrival at {:#x} is outside of the ring", token.dst_addr));
  const std::uint64_t sequence = sequence_of(token.sender_seq);
  if (sequence - credited_ >= n_slots)
    violation(fmt::format("sequence {} repeats or overruns the window (I1)", token.sender_seq));
  const auto index = static_cast<std::uint32_t>(sequence % n_slots);
  if (token.dst_addr != rx_base + std::uint64_t{index} * slot_size)
    violation(fmt::format("sequence {} is in the wrong slot (I1)", sequence));
  Tag& tag = tags_[index];
  if (tag.state != State::empty) violation(fmt::format("sequence {} overwrites slot {} (I1, I9)", sequence, index));
  tag = {sequence + 1, token.nbytes, State::arrived, token.type};
  const std::uint64_t before = peer_head_cache;
  while (peer_head_cache - credited_ < n_slots && tags_[peer_head_cache % n_slots].next == peer_head_cache + 1)
    ++peer_head_cache;
  return peer_head_cache != before;
}

IpcqQueuePair::Slot IpcqQueuePair::take_receive() {
  CHECK(can_receive(), "a receive took a slot that has not arrived; " + describe());
  const auto index = static_cast<std::uint32_t>(my_tail % n_slots);
  Tag& tag = tags_[index];
  if (tag.next != my_tail + 1 || tag.state != State::arrived)
    violation(fmt::format("slot {} holds another lap's message (I7)", index));
  tag.state = State::held;
  return {index, rx_base + std::uint64_t{index} * slot_size, my_tail++, tag.nbytes, tag.type};
}

bool IpcqQueuePair::release(const Slot& slot) {
  CHECK(slot.index < n_slots, "a released slot is not of this port");
  Tag& tag = tags_[slot.index];
  if (tag.state != State::held || tag.next != slot.sequence + 1)
    violation(fmt::format("slot {} is released without being held (I9)", slot.index));
  tag.state = State::released;
  const std::uint64_t before = credited_;
  while (credited_ != my_tail && tags_[credited_ % n_slots].state == State::released)
    tags_[credited_++ % n_slots].state = State::empty;
  return credited_ != before;
}

std::string IpcqQueuePair::describe() const {
  return fmt::format("{} -> sip{}.cube{}.pe{}: my_head {} my_tail {} peer_head_cache {} peer_tail_cache {} n_slots {}",
                     name(direction), peer.sip, peer.cube, peer.pe, my_head, my_tail, peer_head_cache, peer_tail_cache,
                     n_slots);
}

}  // namespace tutti::device
