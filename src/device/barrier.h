#pragma once
#include <algorithm>
#include <coroutine>
#include <vector>

#include "device/environment.h"
#include "sim/own_waiter.h"

namespace tutti::device {

/// A barrier over the PEs of a group: each sends a word to the group's first PE, which answers all when the last has
/// come: a member goes on at max over members (entry + path to the root) + path from the root. No contention.
class Barrier {
 public:
  Barrier(Environment& env, std::vector<fabric::NodeId> members) : env_(env), members_(std::move(members)) {}

  struct Wait {
    Wait(Barrier& b, std::size_t r, sim::Name o, sim::Where where)
        : barrier(&b), rank(r), waiter("the other ranks (barrier)", o, false, where) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      waiter.suspend(h);
      barrier->enter(rank, waiter);
    }
    void await_resume() const {}
    Barrier* barrier;
    std::size_t rank;
    sim::OwnWaiter waiter;
  };
  Wait wait(std::size_t rank, sim::Name owner, sim::Where where) { return Wait(*this, rank, owner, where); }

 private:
  void enter(std::size_t rank, sim::OwnWaiter& waiter) {
    waiting_.push_back({rank, &waiter});
    all_in_ = std::max(all_in_, env_.simulation.now() + env_.fabric.path_latency(members_[rank], members_[0], 0));
    if (waiting_.size() < members_.size()) return;
    env_.record(&Recorder::barrier_passed, count_++, all_in_);
    for (const auto& [r, who] : waiting_) who->wake_at(all_in_ + env_.fabric.path_latency(members_[0], members_[r], 0));
    waiting_.clear();
    all_in_ = Time();
  }

  Environment& env_;
  std::vector<fabric::NodeId> members_;
  std::vector<std::pair<std::size_t, sim::OwnWaiter*>> waiting_;
  Time all_in_;
  std::uint64_t count_ = 0;
};

}  // namespace tutti::device
