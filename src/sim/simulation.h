#pragma once
#include <string>

#include "sim/process.h"
#include "sim/timeline.h"

namespace tutti::sim {

/// One simulated timeline with its processes. Events leave in order of time; those of one instant in the order in which
/// they were scheduled, normal lane before late lane. One thread drives one Simulation.
class Simulation : public Timeline {
 public:
  Simulation() = default;
  /// Destroys the processes that have not ended; what they refer to must still be there.
  ~Simulation();

  /// Starts `process` in this instant, after what is scheduled already. An exception that it does not catch leaves
  /// run().
  ProcessHandle spawn(Process<> process, std::string name);
  /// The same with a name that is a literal or that its owner keeps: no allocation.
  ProcessHandle spawn(Process<> process, const char* name) { return start(std::move(process), name, false); }
  ProcessHandle spawn(Process<> process, Name name) { return start(std::move(process), name, false); }

  class Delay {
   public:
    Delay(Time t) : time_(t) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      Timeline& t = h.promise().root->timeline();
      t.resume_at(t.now() + time_, h);
    }
    void await_resume() {}

   private:
    Time time_;
  };
  Delay delay(Time d) { return Delay(d); }
  /// Lets everything run that is scheduled in this instant so far.
  Delay yield_now() { return Delay(Time()); }

  /// Runs until nothing is scheduled. @throws DeadlockError  some process has not ended; names each and what it waits
  /// for.
  void run();

 private:
  ProcessHandle start(Process<> process, Name name, bool owned);
};

/// "taker waits for an item on store since 3 ns (file.cpp:12)"
std::string describe_wait(const Root& r);

}  // namespace tutti::sim
