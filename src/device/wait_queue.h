#pragma once
#include <coroutine>
#include <utility>
#include <vector>

#include "device/ipcq/poll.h"
#include "sim/simulation.h"

namespace tutti::device {

/// Processes that wait until some condition may have changed; each looks again when it wakes, in order of arrival.
/// Sleeping waiters wake at once; polling ones at the first of their polls at or after the change. Polls in between
/// cost no events.
class WaitQueue {
 public:
  struct Wait {
    Wait(WaitQueue& q, const char* n, const char* o, Time start, Time period)
        : queue(&q), name(n), owner(o), poll_start(start), poll_period(period) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      root = h.promise().root;
      root->wait(h, name, owner);
      queue->waiters_.push_back({root, poll_start, poll_period});
    }
    void await_resume() const {}
    WaitQueue* queue;
    const char* name;
    const char* owner;
    Time poll_start, poll_period;
    sim::Root* root = nullptr;
  };
  /// @param start, period  of the polls; period 0: sleep.
  Wait wait(const char* name, const char* owner, Time start, Time period) {
    return Wait(*this, name, owner, start, period);
  }
  void notify(sim::Simulation& simulation) {
    if (waiters_.empty()) return;
    woken_.swap(waiters_);
    for (const Waiter& w : woken_) {
      if (w.period == Time()) {
        w.root->wake();
      } else {
        w.root->waits_for = nullptr;
        simulation.at(poll_wake(w.start, w.period, simulation.now()), *w.root);
      }
    }
    woken_.clear();
  }
  bool empty() const { return waiters_.empty(); }

 private:
  struct Waiter {
    sim::Root* root;
    Time start, period;
  };
  std::vector<Waiter> waiters_, woken_;
};

}  // namespace tutti::device
