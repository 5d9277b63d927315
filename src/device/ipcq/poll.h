#pragma once
#include "base/units.h"

namespace tutti::device {

/// When a poll that began at `start` with period `period` sees a condition that holds from `condition` on: the first
/// start + k * period at or after it. No events are spent on the polls in between. @pre period > 0.
constexpr Time poll_wake(Time start, Time period, Time condition) {
  if (condition <= start) return start;
  const std::int64_t k = (condition - start + period - Time::ps(1)) / period;
  return start + period * k;
}
static_assert(poll_wake(Time::ns(3), Time::ns(10), Time::ns(3)) == Time::ns(3));
static_assert(poll_wake(Time::ns(3), Time::ns(10), Time::ns(13)) == Time::ns(13));
static_assert(poll_wake(Time::ns(3), Time::ns(10), Time::ps(13'001)) == Time::ns(23));

}  // namespace tutti::device
