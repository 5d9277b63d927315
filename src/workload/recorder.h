#pragma once
#include <cstdint>

#include "base/units.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// Listens to a run of traces. A run without one pays an untaken branch a node and a message. A call must not change
/// the run.
class Recorder {
 public:
  /// A node has ended, or was under way when the run did: then `end` is Time::max().
  virtual void node(std::uint32_t rank, const Trace& trace, std::uint32_t index, Time begin, Time end) = 0;
  /// A message's last byte is at its destination.
  virtual void message(std::uint32_t source, std::uint32_t destination, std::uint64_t tag, std::uint64_t bytes,
                       Time posted, Time delivered) = 0;

 protected:
  ~Recorder() = default;
};

}  // namespace tutti::workload
