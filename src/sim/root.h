#pragma once
#include <coroutine>
#include <cstdint>
#include <string>
#include <utility>

#include "base/units.h"
#include "sim/condition.h"
#include "sim/frame_pool.h"
#include "sim/name.h"
#include "sim/timeline.h"
#include "sim/wait.h"

namespace tutti::sim {

/// A process that was spawned: its name, what it waits for, and who waits for its end.
class Root final : public Subject {
 public:
  std::string name() const { return name_.text(); }
  bool done() const { return done_; }
  /// First of what the process waits for; null while it is scheduled or running. The others follow in its group.
  const Waiter* waits() const { return waits_; }
  Time since() const { return since_; }
  /// Its place in the timeline's processes; changes when another one ends.
  std::size_t index() const { return index_; }
  /// A mark for observers: somebody waits, or waited, for what this process does.
  bool watched() const { return watched_; }
  void watch() const { watched_ = 1; }
  Timeline& timeline() const { return *timeline_; }

  std::string what() const override { return "the end"; }
  std::string on() const override { return name(); }
  void suppliers(Suppliers& s) const override { s.processes.push_back(this); }
  bool ready() const override { return done_; }

  /// For awaiters: the process has suspended and waits.
  void block(const Waiter& w) {
    waits_ = &w;
    since_ = timeline_->now_;
    if (!timeline_->observers_.empty()) [[unlikely]]
      for (Observer* o : timeline_->observers_) o->blocked(*this);
  }
  void wake(std::coroutine_handle<> h) {
    timeline_->resume_now(h);
    woken();
  }
  void wake_at(std::coroutine_handle<> h, Time t) {
    timeline_->resume_at(t, h);
    woken();
  }

  static void* operator new(std::size_t n) { return frames::take(n); }
  static void operator delete(void* p, std::size_t n) noexcept { frames::give(p, n); }

 private:
  void woken() {
    waits_ = nullptr;
    if (!timeline_->observers_.empty()) [[unlikely]]
      for (Observer* o : timeline_->observers_) o->woken(*this);
  }
  friend class Timeline;
  friend class Simulation;
  friend class ProcessHandle;
  friend struct PromiseBase;
  Root(Timeline& t, Name n, std::coroutine_handle<> top, bool owns)
      : timeline_(&t), top_(top), name_(n), owns_name_(owns) {}
  ~Root() {
    if (owns_name_) name_.destroy_string();
  }
  void finish();
  void drop() {
    if (--references_ == 0) delete this;
  }

  Timeline* timeline_;
  std::coroutine_handle<> top_;
  const Waiter* waits_ = nullptr;
  Time since_;
  Name name_;
  std::uint32_t index_ = 0;
  std::uint32_t references_ : 28 = 1;
  mutable std::uint32_t watched_ : 1 = 0;
  std::uint32_t done_ : 1 = 0;
  std::uint32_t owns_name_ : 1;
};

}  // namespace tutti::sim
