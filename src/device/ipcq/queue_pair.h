#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "device/ipcq/messages.h"

namespace tutti::device {

/// The pointers of one port: a sending half towards the peer's ring and a receiving half over the own ring. Holds no
/// time and schedules nothing. All pointers count messages and only grow (I2). Source: ADR-0023 D2, D5, D17; order and
/// release by spec 2.3.
class IpcqQueuePair {
 public:
  struct Send {
    std::uint64_t dst_pa;
    std::uint32_t sender_seq;
  };
  struct Slot {
    std::uint32_t index;
    std::uint64_t address;
    std::uint64_t sequence;  ///< my_tail before the receive
    std::uint32_t nbytes;
    std::uint8_t type = 0;  ///< of the elements, as sent
  };

  /// @param start  first sequence number of both halves: near 2^32 to exercise wrapping.
  /// @throws ModelError  no slots, slots without bytes, or a geometry that differs from the peer's (I10).
  explicit IpcqQueuePair(const IpcqInitEntry& entry, std::uint64_t start = 0);

  bool full() const { return my_head - peer_tail_cache >= peer.n_slots; }
  /// Takes the next slot of the peer. @pre !full().
  /// @throws IpcqSlotOverflow  nbytes > peer.slot_size; nothing has changed then.
  Send take_send(std::uint32_t nbytes);
  /// A credit came back. Stale ones change nothing. @throws ViolationError  it frees what was never sent. Returns
  /// whether it moved.
  bool credit(std::uint32_t consumer_seq);

  /// Whether `address` lies in this port's receive ring.
  bool owns(std::uint64_t address) const {
    return address >= rx_base && address < rx_base + std::uint64_t{n_slots} * slot_size;
  }
  /// The bytes of `token` have been written. Moves peer_head_cache over the longest contiguous prefix (I8).
  /// @throws ViolationError  a sequence seen before, out of the window, or in the wrong slot (I1). Returns whether the
  /// head moved.
  bool arrive(const IpcqDmaToken& token);
  /// The full number of a wire sequence within the receiving window.
  std::uint64_t sequence_of(std::uint32_t wire) const;
  bool can_receive() const { return peer_head_cache != my_tail; }
  /// @pre can_receive(). Checks the slot's own sequence tag (I7).
  Slot take_receive();
  /// The kernel is done with `slot`. Returns whether the credit moved: credited() then is the consumer_seq to send
  /// (I9).
  /// @throws ViolationError  released twice or never received.
  bool release(const Slot& slot);
  std::uint64_t credited() const { return credited_; }

  /// Slots received and not yet released, or arrived and never received: what a kernel's end must find empty.
  std::uint64_t unread() const { return peer_head_cache - my_tail; }
  std::uint64_t unreleased() const { return my_tail - credited_; }
  /// "E -> sip0.cube0.pe1: my_head 3 my_tail 2 peer_head_cache 2 peer_tail_cache 1 n_slots 8".
  std::string describe() const;

  Direction direction;
  IpcqEndpoint peer;
  std::uint64_t tx_buffer_base = 0;  ///< always 0: a send goes straight from its source
  std::uint64_t rx_base;
  std::uint32_t n_slots, slot_size;
  std::uint64_t my_head, my_tail, peer_head_cache, peer_tail_cache;

 private:
  enum class State : std::uint8_t { empty, arrived, held, released };
  struct Tag {
    std::uint64_t next = 0;  ///< sequence + 1 of the message in the slot
    std::uint32_t nbytes = 0;
    State state = State::empty;
    std::uint8_t type = 0;
  };
  [[noreturn]] void violation(const std::string& what) const;
  std::vector<Tag> tags_;
  std::uint64_t credited_;
};

}  // namespace tutti::device
