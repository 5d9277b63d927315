#pragma once
#include <vector>

#include "fabric/graph.h"

namespace tutti::fabric {

/// Most that can flow between groups of nodes over the links of a graph, in bits a second: by max-flow, min-cut the
/// capacity of the narrowest cut between them. Made once for a graph, asked many times.
class MaxFlow {
 public:
  explicit MaxFlow(const Graph& graph);
  /// @pre no node is in both.
  Bandwidth between(const std::vector<NodeId>& from, const std::vector<NodeId>& to);

 private:
  bool levels(const std::vector<NodeId>& from);
  std::int64_t augment(NodeId at, std::int64_t limit);

  struct Arc {
    NodeId to;
    std::uint32_t back;  ///< arc of the other direction
    std::int64_t capacity, left;
  };
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> begin_;  ///< [node]: first of its arcs
  std::vector<std::uint32_t> next_;
  std::vector<std::int32_t> level_;
  std::vector<bool> sink_;
  std::vector<std::uint32_t> touched_;
  std::vector<NodeId> queue_;
};

}  // namespace tutti::fabric
