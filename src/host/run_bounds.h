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
/// latency     ceil(log2 P) x cheapest one-way latency between neighbours;
/// bandwidth   what must leave a rank / the rate out of its DMA: all-reduce 2 (P - 1) / P n, all-gather, reduce-scatter
///             and all-to-all (P - 1) / P n, broadcast n;
/// cut         what must leave a cube or SIP / the rate of the links out of it;
/// compute     (P - 1) / P n / rate of MATH, where something is reduced;
/// ring        on a ring: the 2 (P - 1) or P - 1 hops that a block makes one after the other;
/// credit      floor((messages - 1) / n_slots) round trips of data and credit of the busiest queue pair, as it ran.
Bounds run_bounds(Runtime& runtime, Bytes tensor);

/// Factor from algorithm bandwidth to bus bandwidth. Source: nccl-tests, doc/PERFORMANCE.md.
double bus_factor(std::string_view collective, int ranks);

}  // namespace tutti::host
