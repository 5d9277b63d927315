#pragma once
#include <memory>
#include <vector>

#include "plan/algorithm.h"

namespace tutti::plan {

/// Who sends to whom when PEs 0 to P - 1 of a row reduce to PE 0. Children are received in order.
struct ReduceTree {
  std::vector<int> parent;  ///< -1 at the root
  std::vector<std::vector<int>> children;
};

/// The reduce trees of Luczynski et al., "Near-optimal wafer-scale reduce", HPDC 2024 (arXiv 2404.15888).
ReduceTree wafer_star(int pes);
ReduceTree wafer_chain(int pes);
ReduceTree wafer_tree(int pes);
/// Chains in groups of `group` PEs, then a chain of their first PEs. 0: the root of the number of PEs, rounded down.
ReduceTree wafer_two_phase(int pes, int group = 0);
/// The cheapest tree for `words` in the model below, found by dynamic programming over PEs, depth and contention.
/// Exhaustive to 128 PEs; beyond, depths to 48 and contentions to 10, and the four trees above.
ReduceTree wafer_auto(int pes, std::int64_t words, int ramp);

/// What the model needs to know of a tree: in units of the vector, but for the depth.
struct WaferShape {
  std::int64_t energy = 0;      ///< links that all messages cross together
  std::int64_t contention = 0;  ///< messages that one PE receives or sends, at most
  std::int64_t depth = 0;       ///< messages that follow each other
};
WaferShape shape(const ReduceTree& tree);

/// Cycles: max(C, E / N + L) + (2 ramp + 1) D with C, E in words, N = L = pes - 1.
double wafer_cycles(const WaferShape& shape, int pes, std::int64_t words, int ramp);
/// Broadcast by multicast along the row: words + pes - 1 + 2 ramp + 1.
double wafer_broadcast_cycles(int pes, std::int64_t words, int ramp);
/// Ring all-reduce on a row: 2 (P-1) B / P + 4 P - 6 + 2 (P-1) (2 ramp + 1).
double wafer_ring_cycles(int pes, std::int64_t words, int ramp);

/// All-reduce: up the tree in chunks, and back along the row.
Schedule wafer_schedule(const Collective& collective, std::int64_t chunks, std::shared_ptr<const ReduceTree> tree);

}  // namespace tutti::plan
