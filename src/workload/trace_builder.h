#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload/fault.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// Collects nodes whose parents are ids and turns them into a Trace whose parents are indices.
///
/// For each node: begin(), fill it, data_parent() and ctrl_parent() in any order, then end() or drop().
class TraceBuilder {
 public:
  TraceBuilder(Trace& trace, Faults& faults) : trace_(trace), faults_(faults) {}

  /// Makes room for about so many nodes, which will be begun.
  void expect(std::size_t nodes);
  /// A node to fill; the reference is valid until the next begin().
  Node& begin() { return trace_.nodes.emplace_back(); }
  void data_parent(std::uint64_t id) { parents_.push_back(id); }
  void ctrl_parent(std::uint64_t id) { ctrl_.push_back(id); }
  void end();
  /// Forgets the node begun last.
  void drop();
  /// Forgets the parents of the node begun last, which is parsed again.
  void drop_parents();
  /// Index of a group name, interned.
  std::uint32_t group(std::string_view name);
  /// Maps ids to indices. Duplicate ids (children are given the later node) and dangling parents become faults.
  void finish();

 private:
  class IdMap;
  bool resolve_all(const IdMap& ids);
  void resolve_and_report(const IdMap& ids);
  void fault(const char* rule, const Node& node, std::string message);

  Trace& trace_;
  Faults& faults_;
  std::vector<std::uint64_t> ctrl_;
  std::vector<std::uint64_t> parents_;  ///< ids, flat
  std::size_t first_ = 0;               ///< of the node begun last, in parents_
  bool consecutive_ = true;             ///< ids are those of the first node and the numbers after it
  std::uint32_t last_group_ = 0;
};

}  // namespace tutti::workload
