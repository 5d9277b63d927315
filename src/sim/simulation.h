#pragma once
#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "sim/event.h"
#include "sim/event_queue.h"
#include "sim/process.h"

namespace tutti::sim {

/// One simulated timeline. Events leave in order of time; those of one instant in the order in which they were
/// scheduled, normal lane before late lane. Not thread-safe: one thread drives one Simulation.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Time now() const { return now_; }
  /// Events may lie up to here (53 days): half of what Time holds, so that a sum of two times cannot overflow.
  static constexpr Time horizon() { return Time::ps(std::int64_t{1} << 62); }
  /// @pre t >= now(). @throws ModelError  t lies beyond the horizon.
  void at(Time t, Event& e) {
    CHECK(t >= now_, "event scheduled in the past");
    if (t > horizon()) [[unlikely]]
      throw ModelError("simulated time ends at 53 days: an event would lie beyond");
    queue_.push(t, Entry::of(e));
  }
  void after(Time d, Event& e) { at(now_ + d, e); }
  /// Fires in this instant, after all of its normal events, those still to be scheduled included: for arbitration that
  /// must know all arrivals.
  void late(Event& e) { late_.push(Entry::of(e)); }
  void resume_at(Time t, std::coroutine_handle<> h) { queue_.push(t, Entry::of(h)); }
  void resume_now(std::coroutine_handle<> h) { queue_.push(now_, Entry::of(h)); }

  /// Starts `process` in this instant, after what is scheduled already. An exception that it does not catch leaves
  /// run().
  ProcessHandle spawn(Process<> process, std::string name);
  struct Delay {
    Delay(Simulation& s, Time t) : simulation(&s), time(t) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      h.promise().root->suspended = h;
      simulation->sleep(*h.promise().root, time);
    }
    void await_resume() {}
    Simulation* simulation;
    Time time;
  };
  Delay delay(Time d) { return Delay(*this, d); }
  Delay yield_now() { return delay(Time()); }
  void sleep(Root& r, Time d);
  void finished(Root& r);
  /// Processes that have not ended, in no particular order.
  const std::vector<std::shared_ptr<Root>>& processes() const { return processes_; }
  /// Runs until nothing is scheduled. @throws DeadlockError  some process has not ended; names each and what it waits
  /// for.
  void run();

  /// Runs all events at times < limit; now() never passes the last event run.
  void run_before(Time limit);
  /// Runs at most `most` events. @return false if nothing is scheduled any more.
  bool run_some(std::uint64_t most);
  std::uint64_t events() const { return events_; }
  bool idle() const { return queue_.empty() && late_.empty(); }

 private:
  Time now_;
  EventQueue queue_;
  Fifo late_;
  std::uint64_t events_ = 0;
  std::vector<std::shared_ptr<Root>> processes_;
};

}  // namespace tutti::sim
