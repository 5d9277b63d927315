#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "workload/gen/pipeline.h"
#include "workload/trace_writer.h"

namespace tutti::workload::gen {

/// The same collective a number of times, one after the other, on all ranks or in groups of adjacent ranks.
struct CollectiveSpec {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::uint32_t ranks = 8;
  std::uint64_t bytes = 1U << 20;  ///< comm_size: an all-gather's is what each rank gives, otherwise its whole input
  std::uint32_t count = 1;
  std::uint32_t group = 0;       ///< ranks of a group; 0: all ranks together
  std::uint64_t compute_us = 0;  ///< computation before each

  void check() const;
  /// The communicator file, empty without groups.
  std::string groups() const;
};
std::vector<NodeSpec> collective_trace(const CollectiveSpec& spec, std::uint32_t rank);
/// @throws ConfigError  none of "all-reduce", "all-gather", "reduce-scatter", "all-to-all".
CollectiveKind parse_collective(std::string_view text);

/// A pipeline without a model: a rank a stage, a compute node a pass.
struct PipelineSpec {
  Pipeline pipeline;
  std::uint64_t bytes = 1U << 20;  ///< of each activation and gradient
  std::uint64_t forward_us = 100, backward_us = 200;
  bool one_tag = false;
};
std::vector<NodeSpec> pipeline_trace(const PipelineSpec& spec, std::uint32_t stage);

/// The tag of a message between virtual stages; `chunk` lies on the earlier side of the boundary.
/// With one tag all microbatches of a boundary share it, and a pipeline of one chunk has a single tag.
std::int32_t boundary_tag(const Pipeline& pipeline, bool one_tag, const Pass& pass, std::uint32_t chunk);

}  // namespace tutti::workload::gen
