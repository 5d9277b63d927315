#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "workload/check_log.h"

namespace tutti::workload {

/// Children, parents and order of the nodes of one trace, by index.
class DependencyGraph {
 public:
  explicit DependencyGraph(const Trace& trace);

  std::span<const std::uint32_t> children(std::uint32_t node) const {
    return {children_.data() + first_[node], first_[node + 1] - first_[node]};
  }
  /// Number of entries of children() that name `node`: a parent written twice counts twice.
  const std::vector<std::uint32_t>& parent_counts() const { return parents_; }
  bool acyclic() const { return acyclic_; }
  /// One cycle for each knot of nodes that wait for each other: each a parent of the next, the last of the first.
  /// At most `most` of them.
  std::vector<std::vector<std::uint32_t>> cycles(std::size_t most) const;
  /// Sends, receives and collectives as they would start if nothing took any time: by ascending id, round after round
  /// over those whose parents have started. Nodes behind a cycle are left out.
  std::vector<std::uint32_t> communication() const;
  /// True if `to` can start only after `from` has finished.
  bool depends(std::uint32_t to, std::uint32_t from) const;

 private:
  const Trace& trace_;
  std::vector<std::uint32_t> first_, children_, parents_;
  std::vector<std::uint32_t> round_;  ///< behind a cycle: UINT32_MAX
  bool acyclic_ = true;
};

/// Lists the cycles of a trace, printed.
void check_cycles(const Trace& trace, const DependencyGraph& graph, CheckLog& log);

}  // namespace tutti::workload
