#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workload/gen/model.h"
#include "workload/gen/pipeline.h"
#include "workload/trace_writer.h"

namespace tutti::workload::gen {

/// Ways to split a training step over ranks, innermost (adjacent ranks) first in StepSpec::order.
enum class Axis : std::uint8_t { tensor, expert, pipeline, data };

/// One training step of a transformer. docs/gen.md gives the formulas.
struct StepSpec {
  ModelShape model;
  std::uint32_t tp = 1, ep = 1, dp = 1;  ///< ranks = tp * ep * pp * dp, pp = pipeline.stages
  Pipeline pipeline;
  std::uint64_t micro_batch = 1;   ///< sequences of a microbatch on a rank
  std::uint64_t sequence = 0;      ///< tokens; 0: the model's
  std::uint64_t bytes = 2;         ///< of a weight, activation or gradient
  bool sequence_parallel = false;  ///< all-gather and reduce-scatter instead of all-reduce over tp
  bool sharded_optimizer = false;  ///< gradients reduce-scattered, weights gathered (ZeRO 1)
  bool one_tag = false;            ///< all microbatches of a boundary use one tag
  double tflops = 100;             ///< durations are written for this rate; 0: none
  std::array<Axis, 4> order = {Axis::tensor, Axis::expert, Axis::pipeline, Axis::data};

  std::uint32_t ranks() const { return tp * ep * pipeline.stages * dp; }
  std::uint64_t tokens() const { return micro_batch * (sequence ? sequence : model.sequence); }
  /// Rows of the embedding and the output layer: a multiple of 128 on each tensor-parallel rank.
  std::uint64_t padded_vocabulary() const;
  /// Layers of virtual stage k: as equal as possible, the first ones one more.
  std::uint64_t layers_of(std::uint32_t virtual_stage) const;
  /// @throws ConfigError  sizes that do not divide.
  void check() const;
};

/// Coordinates of a rank.
struct Place {
  std::uint32_t tensor = 0, expert = 0, stage = 0, data = 0;
};
Place place_of(const StepSpec& spec, std::uint32_t rank);
std::uint32_t rank_of(const StepSpec& spec, const Place& place);

/// Communicators of a step by name ("1", "2", ...), as the communicator file has them. Groups of one are left out.
class StepGroups {
 public:
  enum class Kind : std::uint8_t { tensor, expert, data, data_expert, embedding };
  explicit StepGroups(const StepSpec& spec);

  /// Name of the group of `kind` that `rank` is in; empty if it would be alone.
  const std::string& name(Kind kind, std::uint32_t rank) const { return names_[static_cast<std::size_t>(kind)][rank]; }
  /// {"1": [0, 1], ...}
  std::string json() const;
  const std::vector<std::vector<std::uint32_t>>& groups() const { return groups_; }

 private:
  void add(const StepSpec& spec, Kind kind);
  std::array<std::vector<std::string>, 5> names_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

/// The nodes of `rank`, ids from 1 ascending.
std::vector<NodeSpec> step_trace(const StepSpec& spec, const StepGroups& groups, std::uint32_t rank);

}  // namespace tutti::workload::gen
