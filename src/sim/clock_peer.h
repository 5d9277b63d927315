#pragma once
#include <functional>

#include "sim/timeline.h"

namespace tutti::sim {

/// Something with a clock of its own that advances beside others: a partition of a simulation, or a foreign simulator.
/// Whoever drives it runs windows: all peers up to a common limit, then messages between them are posted. Correct as
/// long as no message arrives before the end of the window in which it was sent.
class ClockPeer {
 public:
  virtual ~ClockPeer() = default;
  /// Of the next event; Time::max() if there is none.
  virtual Time next_event_time() = 0;
  /// Runs all events at times < limit.
  virtual void run_before(Time limit) = 0;
  /// From outside, while the peer does not run: calls `deliver` at `t`. Posts of one instant are delivered in the order
  /// of the calls. @pre t is not before the last limit.
  virtual void post(Time t, std::function<void()> deliver) = 0;
};

/// A Timeline of ours as a peer.
class TimelinePeer final : public ClockPeer {
 public:
  explicit TimelinePeer(Timeline& t) : timeline_(&t) {}
  Time next_event_time() override { return timeline_->next_event_time(); }
  void run_before(Time limit) override { timeline_->run_before(limit); }
  void post(Time t, std::function<void()> deliver) override { timeline_->at(t, *new Posted(std::move(deliver))); }

 private:
  /// Deletes itself when it has fired. One that never fires is lost with its run.
  struct Posted : Event {
    explicit Posted(std::function<void()> f) : Event(&Posted::run), deliver(std::move(f)) {}
    static void run(Event& e) {
      const std::unique_ptr<Posted> self(&static_cast<Posted&>(e));
      self->deliver();
    }
    std::function<void()> deliver;
  };
  Timeline* timeline_;
};

}  // namespace tutti::sim
