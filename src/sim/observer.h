#pragma once

namespace tutti::sim {

class Root;

/// Told what processes do. Attach with Simulation::observe(); a run without observers pays one untaken branch for each.
/// Called while the process is suspended: an observer may look at everything, and end the run with
/// Simulation::fail(). It must not resume, wake or schedule anything.
class Observer {
 public:
  virtual void spawned(const Root&) {}
  /// The process waits at `root.waits()`.
  virtual void blocked(const Root&) {}
  virtual void woken(const Root&) {}
  virtual void ended(const Root&) {}
  /// Nothing is scheduled, and some process has not ended. May throw a better DeadlockError than run() would.
  virtual void dead() {}

 protected:
  ~Observer() = default;
};

}  // namespace tutti::sim
