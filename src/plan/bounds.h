#pragma once
#include "base/units.h"

namespace tutti::plan {

/// Least times of an all-reduce between `ranks` equal ranks, point to point, no reduction inside the network.
struct AllReduceBounds {
  Time latency;    ///< ceil(log2 ranks) x cheapest one-way latency, of a rank that sends to one peer at a time
  Time bandwidth;  ///< 2 (ranks - 1) / ranks x bytes / rate out of a rank (Patarasuk and Yuan), rounded down
};

/// @param bytes  buffer of one rank.  @param rate  of all ports of a rank together.  @pre ranks >= 1, bytes >= 0, rate
/// > 0.
AllReduceBounds all_reduce_bounds(int ranks, Bytes bytes, Time cheapest_latency, Bandwidth rate);

}  // namespace tutti::plan
