#pragma once
#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "sim/event.h"
#include "sim/event_queue.h"
#include "sim/observer.h"
#include "sim/ring.h"

namespace tutti::sim {

class Root;
class Component;

/// The events of a Simulation and the loop that runs them. Not thread-safe: one thread drives one timeline.
class Timeline {
 public:
  Timeline() = default;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  Time now() const { return now_; }
  /// Events may lie up to here (53 days): half of what Time holds, so that a sum of two times cannot overflow.
  static constexpr Time horizon() { return Time::ps(std::int64_t{1} << 62); }
  /// @pre t >= now(). @throws ModelError  t lies beyond the horizon.
  void at(Time t, Event& e) {
    check(t);
    queue_.push(t, Entry::of(e));
  }
  void after(Time d, Event& e) { at(now_ + d, e); }
  /// Fires in this instant, after all of its normal events, those still to be scheduled included: for arbitration that
  /// must know all arrivals.
  void late(Event& e) { late_.push(Entry::of(e)); }
  void resume_at(Time t, std::coroutine_handle<> h) {
    check(t);
    queue_.push(t, Entry::of(h));
  }
  void resume_now(std::coroutine_handle<> h) { queue_.push_now(Entry::of(h)); }

  /// Runs all events at times < limit; now() never passes the last event run.
  void run_before(Time limit) { run(limit, UINT64_MAX); }
  /// Runs at most `most` events. @return false if nothing is scheduled any more.
  bool run_some(std::uint64_t most) {
    run(Time::max(), most);
    return !idle();
  }
  std::uint64_t events() const { return events_; }
  bool idle() const { return queue_.empty() && late_.empty(); }
  /// Of the next event; Time::max() if there is none.
  Time next_event_time() const { return !late_.empty() ? now_ : queue_.empty() ? Time::max() : queue_.next_time(); }
  /// Events that fit into the memory taken so far: grows with what is pending, not with what was run.
  std::size_t pending_capacity() const { return queue_.capacity() + late_.capacity(); }
  /// Ends the run: what runs it throws `error` once the event that runs now has returned. The first one counts.
  void fail(std::exception_ptr error) {
    attention_ = true;
    if (!failure_) failure_ = std::move(error);
  }
  /// Processes that have not ended, in no particular order.
  const std::vector<Root*>& processes() const { return processes_; }
  /// Components of the model, in no particular order.
  const std::vector<Component*>& components() const { return components_; }
  /// @pre `o` outlives the run. Several may observe; each is told in the order in which they were attached.
  void observe(Observer& o) { observers_.push_back(&o); }
  void stop_observing(Observer& o) { std::erase(observers_, &o); }

 protected:
  friend class Root;
  friend class Component;
  friend struct PromiseBase;
  template <class T>
  friend class Process;
  void check(Time t) const {
    CHECK(t >= now_, "event scheduled in the past");
    if (t > horizon()) [[unlikely]]
      beyond();
  }
  [[noreturn]] static void beyond();
  void run(Time limit, std::uint64_t most);
  void attend();

  Time now_;
  std::coroutine_handle<> next_;  ///< trampoline: what the coroutine that just suspended hands over to
  bool attention_ = false;        ///< ended_ or failure_ is set
  Root* ended_ = nullptr;
  std::uint64_t events_ = 0;
  EventQueue queue_;
  Ring<Entry> late_;
  std::exception_ptr failure_;
  std::vector<Root*> processes_;
  std::vector<Component*> components_;
  std::vector<Observer*> observers_;
};

}  // namespace tutti::sim
