#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload/fault.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// Collects nodes whose parents are ids and turns them into a Trace whose parents are indices.
class TraceBuilder {
 public:
  TraceBuilder(Trace& trace, Faults& faults) : trace_(trace), faults_(faults) {}

  /// Parents (ids) of the node that add() takes next.
  std::vector<std::uint64_t>& data_parents() { return data_; }
  std::vector<std::uint64_t>& ctrl_parents() { return ctrl_; }
  void add(Node node);
  /// Index of a group name, interned.
  std::uint32_t group(std::string_view name);
  /// Maps ids to indices. Duplicate ids (children are given the later node) and dangling parents become faults.
  void finish();

 private:
  void fault(const char* rule, const Node& node, std::string message);

  Trace& trace_;
  Faults& faults_;
  std::vector<std::uint64_t> data_;
  std::vector<std::uint64_t> ctrl_;
  std::vector<std::uint64_t> parents_;  ///< ids, flat
  std::uint32_t last_group_ = 0;
};

}  // namespace tutti::workload
