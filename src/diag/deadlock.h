#pragma once
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "diag/wait_graph.h"
#include "sim/observer.h"

namespace tutti::diag {

/// A DeadlockError that carries who waits for whom. what() is the graph's text.
class Deadlock : public DeadlockError {
 public:
  explicit Deadlock(WaitGraph g) : DeadlockError(g.text()), graph_(std::move(g)) {}
  const WaitGraph& graph() const { return graph_; }

 private:
  WaitGraph graph_;
};

/// Finds that processes can never go on, in the instant of the event that makes it so, also while others still run; and
/// at the end of the events. The run then throws Deadlock.
///
/// Looks when a process blocks, and when one ends that others waited for: follows who could end the wait until it meets
/// something that can go on, usually the first it looks at. What can end a wait is what its `Awaited::suppliers` say; a
/// wait that says nothing counts as one that can end, so it is seen at the end of the events only.
/// Source: least fixed point over AND and OR waits; in the OR case its complement is the knot of the classical model.
class DeadlockDetector final : private sim::Observer {
 public:
  /// Attaches to `t`. @pre the detector outlives the run.
  explicit DeadlockDetector(sim::Timeline& t) : timeline_(&t) { t.observe(*this); }
  ~DeadlockDetector() { timeline_->stop_observing(*this); }
  DeadlockDetector(const DeadlockDetector&) = delete;
  DeadlockDetector& operator=(const DeadlockDetector&) = delete;

  /// Processes looked at so far: the cost.
  std::uint64_t looks() const { return looks_; }

 private:
  /// A clause holds if it is open or one of its suppliers can go on; a process goes on when all its clauses hold.
  struct Clause {
    std::size_t process;
    bool held;
  };
  void blocked(const sim::Root& r) override;
  void ended(const sim::Root& r) override;
  void dead() override;
  bool can_go_on(const sim::Root& r);
  bool relied_on(const sim::Root& other, const sim::Root& r);
  /// Adds the clauses of `r`; true if it can go on by itself.
  bool add(const sim::Root& r);
  bool settle();
  void report();

  sim::Timeline* timeline_;
  std::uint64_t looks_ = 0;
  // Of one look, kept for their memory.
  sim::Suppliers suppliers_;
  std::vector<const sim::Root*> found_;  ///< blocked processes that the first one depends on
  std::vector<Clause> clauses_;
  std::vector<std::pair<const sim::Root*, std::size_t>> edges_;  ///< (process that can hold it, clause)
  std::vector<std::uint64_t> seen_;                              ///< by index of the process: number of the look
  std::vector<std::size_t> position_;                            ///< by index of the process: place in found_
  std::uint64_t look_ = 0;
};

}  // namespace tutti::diag
