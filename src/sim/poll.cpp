#include "sim/poll.h"

namespace tutti::sim {

Process<> poll(Simulation& s, const Subject& subject, Time start, Time period, Where where) {
  CHECK(period > Time(), "a poll needs a period");
  for (;;) {
    co_await Condition(subject, where);
    const Time seen = poll_wake(start, period, s.now());
    if (seen > s.now()) co_await s.delay(seen - s.now());
    const bool ready = subject.ready();
    if (ready) co_return;
  }
}

}  // namespace tutti::sim
