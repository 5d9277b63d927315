#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "workload/rules.h"

namespace tutti::workload {

/// A communicator: some ranks, in ring order.
struct CommGroup {
  std::uint64_t id = 0;              ///< 0: all ranks, the default group
  std::uint32_t index = 0;           ///< dense, 0 for the default group
  std::string name;                  ///< as the traces say it; "" for the default group
  std::vector<std::uint32_t> ranks;  ///< in listed order; empty for the default group
  std::vector<std::uint32_t>
      position;  ///< of each rank of the machine in `ranks`; nobody: not a member. Empty for the default group
  bool whole_machine = false;  ///< all ranks: the full topology is used
  static constexpr std::uint32_t nobody = UINT32_MAX;

  bool member(std::uint32_t rank) const { return whole_machine || position[rank] != nobody; }
};

/// All communicators of a run. References stay valid.
class CommGroups {
 public:
  /// Only the default group.
  explicit CommGroups(std::uint32_t ranks);
  /// A file {"<id>": [rank, ...], ...}. Ids are numbers (ASTRA-sim) or, in tutti semantics, any text.
  /// @throws ConfigError  lists every fault with file:line:column.
  static CommGroups from_file(const std::string& path, std::uint32_t ranks, const Rules& rules);
  static CommGroups from_text(const std::string& text, const std::string& path, std::uint32_t ranks,
                              const Rules& rules);

  const CommGroup& everyone() const { return groups_.front(); }
  /// The group that a node's pg_name means ("" is everyone, and so is "0" unless a group is named so), or nullptr.
  const CommGroup* find(const std::string& name) const;
  std::string names() const;

 private:
  std::uint32_t ranks_;
  std::deque<CommGroup> groups_;
  std::map<std::string, const CommGroup*> by_name_;
};

}  // namespace tutti::workload
