#pragma once
#include <optional>

#include "device/recorder.h"

namespace tutti::device {

/// What a fault does to one message or credit at its arrival.
struct Fate {
  bool lost = false, twice = false;
  Time late;  ///< arrives later by this: others overtake it
};

/// Faults that a machine is given (Machine::inject), to show what becomes of them. The model asks at each arrival.
class Faults {
 public:
  virtual ~Faults() = default;
  virtual Fate message(const MessageKey&) { return {}; }
  /// @param consumer  whose ring is freed, at its port. @param count  credits of that port before this one.
  virtual Fate credit(std::int32_t /*consumer*/, Direction, std::uint64_t /*count*/) { return {}; }
  /// From when on a PE's kernel does nothing more.
  virtual std::optional<Time> stuck(std::int32_t /*pe*/) { return {}; }
};

}  // namespace tutti::device
