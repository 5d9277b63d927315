#pragma once
#include "base/units.h"
#include "sim/simulation.h"

namespace tutti::sim {

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

/// Polls `subject` every `period` from `start` on, and returns at the first poll that finds it ready. A subject that is
/// ready between two polls only is not seen. A poll that nothing can end is a wait like any other: no events keep the
/// run going, and a detector sees it at once.
Process<> poll(Simulation& s, const Subject& subject, Time start, Time period, Where where = Where::current());

}  // namespace tutti::sim
