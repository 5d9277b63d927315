#pragma once
#include <algorithm>
#include <coroutine>
#include <vector>

#include "device/environment.h"
#include "device/ipcq/controller.h"
#include "sim/own_waiter.h"

namespace tutti::device {

/// A barrier over the PEs of a group: each sends a word to the group's first PE, which answers all when the last has
/// come: a member goes on at max over members (entry + path to the root) + path from the root. No contention.
class Barrier {
 public:
  struct Member {
    fabric::NodeId node;
    const IpcqController* pe;
  };
  Barrier(Environment& env, std::vector<Member> members)
      : env_(env), members_(std::move(members)), in_(members_.size(), false), why_(*this) {}

  struct Wait {
    Wait(Barrier& b, std::size_t r, sim::Where where) : barrier(&b), rank(r), waiter(b.why_, where) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      barrier->in_[rank] = true;
      waiter.suspend(h);
      barrier->enter(rank, waiter);
    }
    void await_resume() const {}
    Barrier* barrier;
    std::size_t rank;
    sim::OwnWaiter waiter;
  };
  Wait wait(std::size_t rank, sim::Where where) { return Wait(*this, rank, where); }

 private:
  /// All others must come: each that has not is a supplier, and any one of them keeps the wait from being dead, so that
  /// it is reported when the last of them can come no more.
  struct Why final : sim::Awaited {
    explicit Why(const Barrier& b) : barrier(b) {}
    std::string what() const override { return "the other ranks (barrier)"; }
    void suppliers(sim::Suppliers& s) const override {
      bool missing = false;
      for (std::size_t i = 0; i < barrier.in_.size(); ++i) {
        if (barrier.in_[i]) continue;
        missing = true;
        if (const sim::Root* process = barrier.members_[i].pe->kernel_process())
          s.processes.push_back(process);
        else
          s.unknown = true;
      }
      s.under_way = s.under_way || !missing;
    }
    const Barrier& barrier;
  };
  void enter(std::size_t rank, sim::OwnWaiter& waiter) {
    waiting_.push_back({rank, &waiter});
    all_in_ =
        std::max(all_in_, env_.simulation.now() + env_.fabric.path_latency(members_[rank].node, members_[0].node, 0));
    if (waiting_.size() < members_.size()) return;
    env_.record(&Recorder::barrier_passed, count_++, all_in_);
    for (const auto& [r, who] : waiting_)
      who->wake_at(all_in_ + env_.fabric.path_latency(members_[0].node, members_[r].node, 0));
    waiting_.clear();
    in_.assign(in_.size(), false);
    all_in_ = Time();
  }

  Environment& env_;
  std::vector<Member> members_;
  std::vector<bool> in_;  ///< who has come
  Why why_;
  std::vector<std::pair<std::size_t, sim::OwnWaiter*>> waiting_;
  Time all_in_;
  std::uint64_t count_ = 0;
};

}  // namespace tutti::device
