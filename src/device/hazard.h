#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/recorder.h"

namespace tutti::device {

/// Finds operations on the same bytes that nothing orders, whichever came first in this run: vector clocks over slots
/// and memory ranges. Order comes from the program of a PE, from a message to its receive, from a release to the send
/// that reuses the slot, and from barriers. A read of the source by a posted send is ordered before whatever follows
/// its receive. Attach with Machine::listen. Source: spec 2.3, goals G4 and G8.
class HazardDetector final : public Recorder {
 public:
  /// @param n_slots  of every queue pair of the group.
  HazardDetector(std::size_t pes, std::uint32_t n_slots);

  void send_issued(const SendRecord& r, Time t) override;
  void slot_written(const MessageKey& m, Time t) override;
  void received(const ReceiveRecord& r, Time t) override;
  void released(const MessageKey& m, Time t) override;
  void reduced(const ReduceRecord& r, Time begin, Time end) override;
  void copied(const CopyRecord& r, Time begin, Time end) override;
  void gemm_ended(const GemmRecord& r, std::uint64_t number, Time t) override;
  void barrier_passed(std::uint64_t count, Time t) override;

  /// One text a hazard: both operations with source lines, bytes and times.
  const std::vector<std::string>& hazards() const { return hazards_; }
  /// @throws ViolationError  listing the hazards, if there are any.
  void check() const;

 private:
  using Clock = std::vector<std::uint32_t>;
  /// An access is ordered before a PE's operation if that PE knows `time` of `pe`. A message's own access has no such
  /// point until the message is received.
  struct Access {
    std::int32_t pe;
    std::uint32_t time;
    std::optional<MessageKey> until;  ///< ordered by the receive of this message
    std::uint32_t text;               ///< index into texts_
  };
  struct Cell {
    std::optional<Access> write;
    std::vector<Access> reads;
  };
  struct Message {
    Clock clock;  ///< of the sender when it was issued
    Address slot = 0;
    std::uint64_t bytes = 0;
    std::uint32_t text = 0;
    bool written = false;
    std::optional<std::uint32_t> received;  ///< clock of the receiver from the receive on
  };
  bool ordered(const Access& a, const Clock& now) const;
  void access(const Access& a, const Clock& now, Address at, std::uint64_t bytes, bool writes);
  void local(std::int32_t pe, const char* call, Where where, Time begin, Time end,
             const std::vector<std::pair<Address, std::uint64_t>>& reads, Address write, std::uint64_t bytes);
  std::uint32_t remember(std::string text);
  std::map<Address, Cell>::iterator split(Address at);
  Clock& clock(std::int32_t pe) { return clocks_[static_cast<std::size_t>(pe)]; }

  std::uint32_t n_slots_;
  std::vector<Clock> clocks_;
  std::map<MessageKey, Message> messages_;
  std::map<MessageKey, Clock> releases_;
  std::map<Address, Cell> cells_;  ///< each from its address to the next
  std::vector<std::string> texts_, hazards_;
};

}  // namespace tutti::device
