#pragma once
#include <cstdint>
#include <string>

#include "plan/schedule.h"

namespace tutti::plan {

/// The slot rule of what a schedule will run on: messages of one rank to another on one channel lie in `slots` slots of
/// `slot_elements` each until they are received; a longer message takes several, one after the other.
struct Target {
  std::int64_t slots = 8;          ///< 0: without limit
  std::int64_t slot_elements = 0;  ///< 0: any message fits a slot
  /// A send leaves its stream free while it waits for slots: until the stream sends on that channel again or writes
  /// what is being sent. Otherwise it holds the stream.
  bool sends_overlap = true;
};

struct Proof {
  bool holds = false;
  /// If not: the first step that is wrong, with rank, stream, step and elements; or who waits for whom.
  std::string counter_example;
  std::int64_t steps = 0;     ///< executed, of all ranks
  std::int64_t messages = 0;  ///< sent, of all ranks
};

/// Executes `schedule` on symbols instead of numbers. It holds if
/// - no step reads what was never written, adds different elements, or adds a contribution twice;
/// - each receive meets a message of its size, and none is left;
/// - no step touches elements that another stream of the rank touches without an order between them;
/// - no step waits for ever under the slot rule;
/// - every output is what Collective::expected says: each contribution exactly once;
/// - for a barrier: no rank ends before every rank has begun.
/// Channels are queues with one writer and one reader, so that one order of execution stands for all.
/// Errors of a schedule never throw. Time: proportional to steps; memory: to what the ranks hold.
Proof verify(const Schedule& schedule, const Target& target = {});

}  // namespace tutti::plan
