#pragma once
#include <functional>
#include <map>

#include "device/recorder.h"

namespace tutti::device {

/// Checks that what a machine does is what the model of the queue pair (tests/model/ipcq.pml) may do: each event is a
/// transition of the model, whose guard must hold.
///
///     send      a free slot is known: sent - credited < n_slots
///     arrive    into the slot of its number, which nobody holds: number - released < n_slots, once
///     receive   in order, after its arrival
///     release   of a slot that is held, once
///     credit    frees a prefix that is released, and only grows
///
/// Attach with Machine::listen before anything runs. @throws ViolationError  in the event: names the ring and the
/// transition.
class ConformanceChecker final : public Recorder {
 public:
  /// @param slots  n_slots and first number of the ring at a port.
  struct Ring {
    std::uint64_t n_slots = 0, first = 0;
  };
  using RingOf = std::function<Ring(std::int32_t pe, Direction port)>;
  explicit ConformanceChecker(RingOf ring_of) : ring_of_(std::move(ring_of)) {}

  void send_issued(const SendRecord& r, Time t) override;
  void slot_written(const MessageKey& m, Time t) override;
  void received(const ReceiveRecord& r, Time t) override;
  void released(const MessageKey& m, Time t) override;
  void credited(const MessageKey& first_held, Time t) override;

  std::uint64_t transitions() const { return transitions_; }

 private:
  enum class Slot : std::uint8_t { sent, arrived, held, released };
  struct State {
    std::uint64_t n_slots, sent, received, released, credited;  ///< numbers: all before are
    std::map<std::uint64_t, Slot> slots;                        ///< from `released` to `sent`
  };
  State& state(const MessageKey& m);
  void require(bool guard, const char* transition, const MessageKey& m, Time t);
  RingOf ring_of_;
  std::map<std::pair<std::int32_t, Direction>, State> rings_;
  std::uint64_t transitions_ = 0;
};

}  // namespace tutti::device
