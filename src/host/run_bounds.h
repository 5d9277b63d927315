#pragma once
#include <string>
#include <vector>

#include "host/runtime.h"

namespace tutti::host {

/// A time that no run of a collective on this machine can be below.
struct Bound {
  std::string name;
  Time time;
  std::string why;  ///< the formula with its numbers
};

struct Bounds {
  std::vector<Bound> all;
  /// The largest. @pre there is one.
  const Bound& binding() const;
};

/// Lower bounds of a collective over the group that is installed; `tensor` is the buffer of a rank (spec section 5):
/// latency, distance, bandwidth, injection, cut, volume: of the graph between the ranks' PEs (plan/bounds.h,
///             docs/bounds.md), for what ranks reduce, gather, scatter evenly, exchange or broadcast; else
///             ceil(log2 P) x the cheapest latency between neighbours;
/// compute     (P - 1) / P n / rate of MATH, where something is reduced;
/// ring        on a ring: the 2 (P - 1) or P - 1 hops that a block makes one after the other;
/// credit      floor((messages - 1) / n_slots) round trips of data and credit of the busiest queue pair, as it ran.
/// @param root     rank, of what has one.
/// @param element  bytes of an element, of schedules.
Bounds run_bounds(Runtime& runtime, Bytes tensor, int root = 0, Bytes element = Bytes(1));

/// Factor from algorithm bandwidth to bus bandwidth. Source: nccl-tests, doc/PERFORMANCE.md.
double bus_factor(std::string_view collective, int ranks);

}  // namespace tutti::host
