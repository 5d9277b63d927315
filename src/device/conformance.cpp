#include "device/conformance.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::device {

ConformanceChecker::State& ConformanceChecker::state(const MessageKey& m) {
  const auto key = std::pair{m.pe, m.port};
  const auto found = rings_.find(key);
  if (found != rings_.end()) return found->second;
  const Ring ring = ring_of_(m.pe, m.port);
  return rings_.emplace(key, State{ring.n_slots, ring.first, ring.first, ring.first, ring.first, {}}).first->second;
}

void ConformanceChecker::require(bool guard, const char* transition, const MessageKey& m, Time t) {
  ++transitions_;
  if (!guard)
    throw ViolationError(fmt::format("no transition of the model: {} of message {} at PE {} port {} at {}", transition,
                                     m.sequence, m.pe, name(m.port), to_string(t)));
}

void ConformanceChecker::send_issued(const SendRecord& r, Time t) {
  State& s = state(r.message);
  require(r.message.sequence == s.sent && s.sent - s.credited < s.n_slots, "send", r.message, t);
  s.slots[s.sent++] = Slot::sent;
}

void ConformanceChecker::slot_written(const MessageKey& m, Time t) {
  State& s = state(m);
  const auto slot = s.slots.find(m.sequence);
  require(slot != s.slots.end() && slot->second == Slot::sent && m.sequence - s.released < s.n_slots, "arrive", m, t);
  slot->second = Slot::arrived;
}

void ConformanceChecker::received(const ReceiveRecord& r, Time t) {
  State& s = state(r.message);
  const auto slot = s.slots.find(r.message.sequence);
  require(r.message.sequence == s.received && slot != s.slots.end() && slot->second == Slot::arrived, "receive",
          r.message, t);
  slot->second = Slot::held;
  ++s.received;
}

void ConformanceChecker::released(const MessageKey& m, Time t) {
  State& s = state(m);
  const auto slot = s.slots.find(m.sequence);
  require(slot != s.slots.end() && slot->second == Slot::held, "release", m, t);
  slot->second = Slot::released;
  while (!s.slots.empty() && s.slots.begin()->second == Slot::released) {
    s.released = s.slots.begin()->first + 1;
    s.slots.erase(s.slots.begin());
  }
}

void ConformanceChecker::credited(const MessageKey& first_held, Time t) {
  State& s = state(first_held);
  require(first_held.sequence > s.credited && first_held.sequence <= s.released, "credit", first_held, t);
  s.credited = first_held.sequence;
}

}  // namespace tutti::device
