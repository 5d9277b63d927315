#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "workload/trace_node.h"

namespace tutti::workload {

/// Which nodes of one trace may start: those whose data and control parents have all finished. Nodes are meant by
/// index.
class Resolver {
 public:
  /// Edges are counted once, however often they are written.
  explicit Resolver(const Trace& trace);

  /// Nodes without parents, by ascending id.
  std::vector<std::uint32_t> roots() const;
  /// Marks `node` finished and appends the nodes that this frees to `freed`, in no particular order.
  void finish(std::uint32_t node, std::vector<std::uint32_t>& freed);
  std::uint32_t finished() const { return finished_; }
  /// True until all parents of `node` have finished.
  bool blocked(std::uint32_t node) const { return missing_[node] != 0; }
  /// A dependency cycle as node indices, each a parent of the next and the last of the first; empty if there is none.
  std::vector<std::uint32_t> cycle() const;

 private:
  const Trace& trace_;
  std::vector<std::uint32_t> first_child_, children_, missing_;
  std::uint32_t finished_ = 0;
};

}  // namespace tutti::workload
