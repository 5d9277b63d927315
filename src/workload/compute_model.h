#pragma once
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "workload/rules.h"
#include "workload/system_config.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// Factors of compute nodes' times by rank, for machines that are slower or faster than the traced one.
struct RankFactors {
  double others = 1;  ///< ranks beyond by_rank
  std::vector<double> by_rank;
  double of(std::uint32_t rank) const { return rank < by_rank.size() ? by_rank[rank] : others; }
};

/// How long a compute node takes.
///
/// Replay: the trace's duration; ASTRA-sim makes 1 ns of 0. Roofline (not for CPU nodes):
/// num_ops / min(local_mem_bw * num_ops / tensor_size, peak_perf); ASTRA-sim drops fractions of a ns.
class ComputeModel {
 public:
  ComputeModel(const SystemConfig& system, const Rules& rules) : system_(system), rules_(rules) {}

  Time replay(const Node& node) const;
  /// True if roofline gives the node's time.
  bool uses_roofline(const Node& node) const { return system_.roofline && !node.is_cpu_op; }
  /// @pre uses_roofline(node) and tensor_size > 0. @throws ModelError  no operations in astra semantics, or too long.
  Time roofline(const Node& node) const;

 private:
  const SystemConfig& system_;
  const Rules& rules_;
};

}  // namespace tutti::workload
