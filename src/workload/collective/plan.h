#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "workload/comm_groups.h"
#include "workload/rules.h"
#include "workload/system_config.h"

namespace tutti::workload {

/// One algorithm on one dimension, a step of every chunk of a collective.
struct Phase {
  /// Which of the dimension's queues the chunks take in turn.
  enum class Lane : std::uint8_t { all, first_half, second_half };

  CollectiveOp op = CollectiveOp::all_reduce;
  AlgorithmChoice algorithm;
  std::uint32_t dimension = 0;  ///< of the queues
  std::uint32_t n = 0;          ///< ranks that take part together
  std::uint32_t stride = 1;     ///< between their ids; listed groups do not use it
  Lane lane = Lane::all;
  std::int32_t restores = -1;  ///< all-gather of an all-reduce: the reduce-scatter phase that it undoes
};

/// How a collective is carried out on a machine: the same for all its ranks and chunks.
struct Plan {
  const CommGroup* group = nullptr;
  CollectiveOp op = CollectiveOp::all_reduce;
  bool listed = false;  ///< the group is smaller than the machine: one ring in listed order
  std::vector<Phase> phases;
};

/// What decides a plan.
struct PlanRequest {
  CollectiveOp op = CollectiveOp::all_reduce;
  const CommGroup* group = nullptr;
  std::optional<std::uint32_t> dimensions;  ///< involved_dim of the node as bits; empty: not given
  std::uint32_t dimension_count = 0;        ///< its length
};

/// Phases in order: all-gather descends the dimensions, reduce-scatter, all-to-all and all-reduce ascend them;
/// all-reduce with localBWAware reduces over all but the last, all-reduces over the last and gathers back.
/// @param sizes  of the dimensions.
/// @throws ModelError  no algorithm for this collective, or one that cannot do it.
Plan make_plan(const PlanRequest& request, const std::vector<std::uint32_t>& sizes, const SystemConfig& system,
               const Rules& rules);

}  // namespace tutti::workload
