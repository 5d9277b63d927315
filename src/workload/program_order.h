#pragma once
#include <cstdint>
#include <vector>

#include "workload/trace_node.h"

namespace tutti::workload {

/// The number of each send and receive among those of its key (peer, tag, direction) in one trace, counted from 0 in
/// the order in which they would start if nothing took any time: by ascending id, round after round over those whose
/// parents have started. It does not depend on timing, so the k-th send of a key and its k-th receive belong together.
class ProgramOrder {
 public:
  ProgramOrder() = default;
  /// @param tags  false: the key is (peer, direction), as for --matching order.
  explicit ProgramOrder(const Trace& trace, bool tags = true);
  /// Of node `index`; 0 for every node of an empty order.
  std::uint64_t number(std::uint32_t index) const { return numbers_.empty() ? 0 : numbers_[index]; }

 private:
  std::vector<std::uint32_t> numbers_;
};

}  // namespace tutti::workload
