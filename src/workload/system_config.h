#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/collective.h"
#include "workload/algorithm_name.h"
#include "workload/rules.h"

namespace tutti::workload {

/// The collectives that the system layer performs. ASTRA-sim knows the first four.
enum class CollectiveOp : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier
};
constexpr int collective_ops = 9, astra_collective_ops = 4;
/// "all-reduce", ...
std::string_view to_string(CollectiveOp op);
plan::CollectiveKind plan_kind(CollectiveOp op);

/// Settings of the system layer: ASTRA-sim's system.json (docs/system-file.md).
struct SystemConfig {
  enum class Scheduling : std::uint8_t { lifo, fifo, explicit_priority };
  struct Implementation {
    std::vector<AlgorithmChoice> dimensions;  ///< one a dimension, or a single one_dimension entry; empty: not given
    std::string custom;                       ///< path prefix of a Chakra algorithm; empty: none
  };

  std::string path;  ///< empty: defaults
  Scheduling scheduling = Scheduling::lifo;
  bool local_bw_aware = false;           ///< all-reduce as reduce-scatters, one all-reduce and all-gathers
  std::uint64_t endpoint_delay_ns = 10;  ///< per endpoint step, injection scale included
  std::uint64_t active_chunks = 1;       ///< running chunks a dimension
  std::uint64_t splits = 1;              ///< chunks a collective
  std::array<Implementation, collective_ops> implementation;
  std::map<std::uint64_t, std::string> per_node_custom;  ///< workload node id -> path prefix
  double local_mem_bw = 0;                               ///< GB/s of 1e9; 0: not given
  double peak_perf = 0;                                  ///< TFLOP/s of 1e12; 0: not given
  bool roofline = false;
  bool replay_only = false;
  std::vector<std::string> warnings;  ///< keys that have no effect

  const Implementation& of(CollectiveOp op) const { return implementation[static_cast<std::size_t>(op)]; }
  /// ns of reducing a message of `bytes`: one write and two reads at local_mem_bw.
  double reduction_pass_ns(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / (local_mem_bw * 1e9) * 1e9;
  }
};

/// Without a file: ring on every dimension, local-mem-bw 1600, the defaults above.
SystemConfig default_system(std::size_t dimensions);

/// @param dimensions  of the network; lists of algorithms are checked against it.
/// @throws ConfigError  lists every fault with file:line:column.
SystemConfig parse_system(const std::string& text, const std::string& path, std::size_t dimensions,
                          double injection_scale, const Rules& rules);
SystemConfig read_system_file(const std::string& path, std::size_t dimensions, double injection_scale,
                              const Rules& rules);

}  // namespace tutti::workload
