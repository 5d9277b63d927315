#include "sim/simulation.h"

namespace tutti::sim {

void Simulation::run_before(Time limit) {
  for (;;) {
    if (!queue_.empty() && (late_.empty() || queue_.next_time() == now_)) {
      const Time t = queue_.next_time();
      if (t >= limit) return;
      now_ = t;
      ++events_;
      queue_.pop().fire();
    } else if (!late_.empty()) {
      ++events_;
      late_.pop().fire();
    } else {
      return;
    }
  }
}

bool Simulation::run_some(std::uint64_t most) {
  for (; most > 0 && !idle(); --most) {
    ++events_;
    if (!queue_.empty() && (late_.empty() || queue_.next_time() == now_)) {
      now_ = queue_.next_time();
      queue_.pop().fire();
    } else {
      late_.pop().fire();
    }
  }
  return !idle();
}

}  // namespace tutti::sim
