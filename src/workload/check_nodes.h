#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "workload/check_log.h"
#include "workload/comm_groups.h"
#include "workload/system_config.h"

namespace tutti::workload {

/// What a node is held against.
struct NodeContext {
  std::uint32_t ranks = 0;               ///< 0: unknown
  std::uint32_t dimensions = 0;          ///< of the network; 0: unknown
  const CommGroups* groups = nullptr;    ///< nullptr: unknown
  const SystemConfig* system = nullptr;  ///< nullptr: unknown
  bool no_remote_memory = false;         ///< a run would have none
  std::string group_hint;                ///< said of a group that is not known
};

/// What is said once of a set, not once a file.
struct CheckNotes {
  std::uint64_t stage_files = 0, silent_files = 0, no_duration = 0;
};

/// Types, attributes, groups, dimensions, units and dependencies of each node on its own.
void check_nodes(const Trace& trace, const NodeContext& context, CheckLog& log, CheckCounts& counts, CheckNotes& notes);
void report_notes(const CheckNotes& notes, const std::string& where, CheckLog& log);

}  // namespace tutti::workload
