#pragma once
#include <algorithm>
#include <coroutine>
#include <vector>

#include "device/environment.h"

namespace tutti::device {

/// A barrier over the PEs of a group: each sends a word to the group's first PE, which answers all when the last has
/// come: a member goes on at max over members (entry + path to the root) + path from the root. No contention.
class Barrier {
 public:
  Barrier(Environment& env, std::vector<fabric::NodeId> members) : env_(env), members_(std::move(members)) {}

  struct Wait {
    Wait(Barrier& b, std::size_t r, const char* o) : barrier(&b), rank(r), owner(o) {}
    bool await_ready() const { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      h.promise().root->wait(h, "the other ranks (barrier)", owner);
      barrier->enter(rank, h.promise().root);
    }
    void await_resume() const {}
    Barrier* barrier;
    std::size_t rank;
    const char* owner;
  };
  Wait wait(std::size_t rank, const char* owner) { return Wait(*this, rank, owner); }

 private:
  void enter(std::size_t rank, sim::Root* root) {
    waiting_.push_back({rank, root});
    all_in_ = std::max(all_in_, env_.simulation.now() + env_.fabric.path_latency(members_[rank], members_[0], 0));
    if (waiting_.size() < members_.size()) return;
    env_.record(&Recorder::barrier_passed, count_++, all_in_);
    for (const auto& [r, who] : waiting_) {
      who->waits_for = nullptr;
      env_.simulation.at(all_in_ + env_.fabric.path_latency(members_[0], members_[r], 0), *who);
    }
    waiting_.clear();
    all_in_ = Time();
  }

  Environment& env_;
  std::vector<fabric::NodeId> members_;
  std::vector<std::pair<std::size_t, sim::Root*>> waiting_;
  Time all_in_;
  std::uint64_t count_ = 0;
};

}  // namespace tutti::device
