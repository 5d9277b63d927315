#pragma once
#include <coroutine>

#include "device/ipcq/poll.h"
#include "sim/own_waiter.h"
#include "sim/simulation.h"

namespace tutti::device {

/// Processes that wait until some condition may have changed; each looks again when it wakes, in order of arrival.
/// Sleeping waiters wake at once; polling ones at the first of their polls at or after the change. Polls in between
/// cost no events.
class WaitQueue {
 public:
  struct Wait : sim::OwnWaiter {
    Wait(WaitQueue& q, const sim::Awaited& why, sim::Where w, Time start, Time period)
        : OwnWaiter(why, w), queue(&q), poll_start(start), poll_period(period) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      queue->waiters_.append(*this);
      suspend(h);
    }
    void await_resume() const {}
    WaitQueue* queue;
    Time poll_start, poll_period;
  };
  /// @param start, period  of the polls; period 0: sleep.
  Wait wait(const sim::Awaited& why, sim::Where where, Time start, Time period) {
    return Wait(*this, why, where, start, period);
  }
  void notify(Time now) {
    while (!waiters_.empty()) {
      Wait& w = static_cast<Wait&>(waiters_.take_front());
      if (w.poll_period == Time())
        w.wake();
      else
        w.wake_at(poll_wake(w.poll_start, w.poll_period, now));
    }
  }
  bool empty() const { return waiters_.empty(); }

 private:
  sim::WaitList waiters_;
};

}  // namespace tutti::device
