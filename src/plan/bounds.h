#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "plan/collective.h"
#include "plan/graph_limits.h"

namespace tutti::plan {

/// A time that no run of a collective can beat on this machine, and why.
struct Bound {
  std::string name;  ///< latency, bandwidth, injection, cut, volume, distance, memory, credit, message_rate, reduction
  Time time;
  std::string why;  ///< with the numbers that made it
};

/// What limits a collective besides the graph. What is absent gives no bound.
struct BoundInput {
  Collective collective;
  Bytes element = Bytes(1);
  Time issue;    ///< least time between two messages that one rank sends
  Time message;  ///< what a message costs at both ends beyond its path
  struct Memory {
    Bandwidth rate;   ///< of one memory, each way
    int sharers = 1;  ///< ranks whose slots lie in it
  };
  std::optional<Memory> memory;
  struct Credit {
    std::int64_t slots = 1;
    Bytes slot;
    Time round_trip;  ///< least time from a send of a full slot until its credit is back
    int ports = 1;    ///< queue pairs that a rank sends on
  };
  std::optional<Credit> credit;
  std::optional<Bandwidth> reduction;  ///< at which one rank reduces incoming data
};

/// Every bound that applies, in the order above; docs/bounds.md has the formulas. Times are rounded down.
/// @pre limits.ranks is that of the collective.
std::vector<Bound> lower_bounds(const BoundInput& input, const GraphLimits& limits);

/// The largest; the first of equals. @pre not empty.
const Bound& binding(const std::vector<Bound>& bounds);

/// Least time until `ranks` ranks can know what one knows: a message takes `latency`, a rank sends one each `gap`
/// (postal model, Bar-Noy and Kipnis 1992). ceil(log2 ranks) x latency if gap = latency; latency if gap = 0.
Time dissemination_time(std::int64_t ranks, Time latency, Time gap);

/// Most that a queue pair carries: slots x slot in a round trip. Zero round trip: no limit.
Bandwidth credit_rate(const BoundInput::Credit& credit);

/// Payload of a message of `bytes` over what goes on the wire: 64 B flits, 52 B of payload in the first, 60 in others.
double flit_efficiency(std::int64_t bytes);

/// busbw / algbw as nccl-tests defines them: all_reduce 2 (P - 1) / P; all_gather, reduce_scatter, all_to_all (P - 1) /
/// P; else 1. algbw is the size of NCCL's convention (count x element) over the time.
double bus_factor(CollectiveKind kind, int ranks);

/// Least times of an all-reduce between `ranks` equal ranks, point to point, no reduction inside the network.
struct AllReduceBounds {
  Time latency;    ///< ceil(log2 ranks) x cheapest one-way latency, of a rank that sends to one peer at a time
  Time bandwidth;  ///< 2 (ranks - 1) / ranks x bytes / rate out of a rank (Patarasuk and Yuan), rounded down
};

/// @param bytes  buffer of one rank.  @param rate  of all ports of a rank together.  @pre ranks >= 1, bytes >= 0, rate
/// > 0.
AllReduceBounds all_reduce_bounds(int ranks, Bytes bytes, Time cheapest_latency, Bandwidth rate);

}  // namespace tutti::plan
