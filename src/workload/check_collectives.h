#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "workload/check_graph.h"
#include "workload/comm_groups.h"

namespace tutti::workload {

/// Collectives of a whole set by group and rank, in the order of DependencyGraph::communication().
class CollectiveCalls {
 public:
  /// One call of a rank.
  struct Call {
    std::uint32_t group = UINT32_MAX;  ///< CommGroup::index; UINT32_MAX: left out
    std::uint32_t number = 0;          ///< counted from 0 among those of the group on this rank
  };
  struct Group {
    const CommGroup* group = nullptr;
    std::vector<std::uint32_t> members;             ///< ranks, ascending
    std::vector<std::vector<std::uint32_t>> nodes;  ///< of each member: indices, by number
    std::size_t place(std::uint32_t rank) const;    ///< in members
  };

  CollectiveCalls(const std::vector<Trace>& traces, const std::vector<std::vector<std::uint32_t>>& order,
                  const CommGroups& groups);

  const std::vector<Group>& groups() const { return groups_; }  ///< those in use
  /// Of the i-th communication node of `rank` in its order.
  Call call(std::uint32_t rank, std::size_t i) const { return calls_[first_of_[rank] + i]; }

 private:
  std::vector<Group> groups_;
  std::vector<Call> calls_;
  std::vector<std::size_t> first_of_;
};

/// Collectives that differ across the ranks of a group in kind, size, dimensions, number or order. What most ranks do
/// is taken as right.
void check_collectives(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs,
                       const CollectiveCalls& calls, CheckLog& log);

}  // namespace tutti::workload
