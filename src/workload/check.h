#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/fault.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// What `tutti check` looks at. Any file may be left out; what depends on it is then not checked.
struct CheckSettings {
  std::string workload;             ///< prefix of a set: PREFIX.<rank>.et; empty: none
  std::vector<std::string> traces;  ///< single traces, each on its own; what crosses ranks is not looked at
  std::string network;              ///< analytical network.yml; its rank count is the number of traces expected
  std::string system;               ///< system.json
  std::string remote_memory;        ///< remote memory file
  std::string comm_group;           ///< communicators
  std::optional<Schema> schema;     ///< of the traces; empty: detected
  bool messages = false;     ///< one send pairs with one receive (--matching message): different sizes are errors
  bool rendezvous = false;   ///< a send waits for its receive
  std::size_t listed = 100;  ///< faults listed of each rule; the rest is counted
};

/// How large the traces are.
struct CheckCounts {
  std::uint64_t ranks = 0, nodes = 0, dependencies = 0, compute = 0, memory = 0, sends = 0, receives = 0,
                collectives = 0;
  std::uint64_t bytes_sent = 0;        ///< of sends
  std::uint64_t collective_bytes = 0;  ///< comm_size of collectives, summed over ranks
};

struct CheckReport {
  Faults faults{SIZE_MAX};
  std::map<std::string, std::uint64_t> rules;  ///< number of faults by rule, listed or not
  CheckCounts counts;
  std::vector<std::string> looked_at;  ///< inputs that were read

  bool ok() const { return faults.ok(); }
};

/// Reads all inputs and lists every fault, without running anything. Never throws for content. Time is linear in nodes
/// and dependencies, but for sorting the communication of a trace whose ids do not ascend. docs/check.md lists the
/// rules.
CheckReport check_inputs(const CheckSettings& settings);

struct SystemConfig;
class CommGroups;

/// The part of the checks that a run makes before its time starts: each node on its own, and cycles.
/// @param dimensions  of the network
/// @throws ConfigError  lists the errors found.
void check_before_run(const std::vector<Trace>& traces, std::uint32_t dimensions, const CommGroups& groups,
                      const SystemConfig& system, bool remote_memory);

}  // namespace tutti::workload
