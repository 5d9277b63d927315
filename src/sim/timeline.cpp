#include "sim/timeline.h"

#include <utility>

#include "sim/root.h"

namespace tutti::sim {

void Timeline::run(Time limit, std::uint64_t most) {
  if (attention_) attend();
  for (; now_ < limit && most > 0; --most) {
    Entry e;
    if (queue_.at_base()) {
      e = queue_.pop();
    } else if (!late_.empty()) {
      e = late_.pop();
    } else {
      if (queue_.empty()) return;
      const Time t = queue_.next_time();
      if (t >= limit) return;
      now_ = t;
      e = queue_.pop();
    }
    ++events_;
    e.fire();
#ifdef TUTTI_TRAMPOLINE
    while (next_) std::exchange(next_, {}).resume();
#endif
    if (attention_) [[unlikely]]
      attend();
  }
}

void Timeline::attend() {
  attention_ = false;
  if (ended_) std::exchange(ended_, nullptr)->finish();
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
}

void Timeline::beyond() { throw ModelError("simulated time ends at 53 days: an event would lie beyond"); }

}  // namespace tutti::sim
