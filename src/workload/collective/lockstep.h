#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "workload/collective/engine.h"

namespace tutti::workload {

/// The streams of one ring phase that have started and not yet sent anything.
struct LockstepGather {
  std::uint64_t key = 0;
  std::vector<Stream*> streams;  // in order of start
};

/// Computes a ring phase from its recurrence instead of running an event a message, where the result is provably the
/// same.
///
/// With t(i, k) the time at which position i posts its message k, and c the cost of the path from i - 1:
///   t(i, k + 1) = max(t(i, k), arrival of message k of i - 1) + endpoint + reduction.
/// It is used when, at the first endpoint step of the phase, all n streams have started, the messages are of one size,
/// and each rank runs nothing else: no other node, no other chunk. Then nothing can happen on these ranks before the
/// phase ends, so no order of events can differ. On a network with links the whole machine must have started in one
/// instant with no message under way: then all ranks stay in step, the links of a ring serve one pair each, and the
/// order in which the ranks finish is the order in which they started, moved on by one rank for each message.
class Lockstep {
 public:
  explicit Lockstep(CollectiveEngine& engine) : engine_(engine) {}
  /// A ring stream has started.
  void join(Stream& s);
  /// The first endpoint step of the streams that `s` gathers with is over. @return true if their phase has been
  /// computed; else they go on by events.
  bool compute_if_alone(Stream& s);

 private:
  bool may_compute(const LockstepGather& gather) const;
  void compute(const LockstepGather& gather, const Stream& first);

  CollectiveEngine& engine_;
  std::unordered_map<std::uint64_t, std::unique_ptr<LockstepGather>> open_;  // looked up only
};

}  // namespace tutti::workload
