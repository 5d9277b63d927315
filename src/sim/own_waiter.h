#pragma once
#include <coroutine>

#include "sim/root.h"

namespace tutti::sim {

/// The wait of one process that the awaiter's owner ends, for awaiters of other layers: call suspend() in
/// await_suspend, and wake() or wake_at() once. Stays in place meanwhile (it lives in the frame).
class OwnWaiter : public Waiter, private Awaited {
 public:
  /// @param assured  something scheduled ends the wait, whatever other processes do
  OwnWaiter(Name what, Name on, bool assured, Where w = Where::current()) : what_(what), on_(on), assured_(assured) {
    reason = this;
    where = w;
  }
  /// Reported as `why`, which lives as long as the wait.
  explicit OwnWaiter(const Awaited& why, Where w = Where::current()) {
    reason = &why;
    where = w;
  }
  template <class P>
  void suspend(std::coroutine_handle<P> h) {
    handle = h;
    root = h.promise().root;
    root->block(*this);
  }
  /// Goes on at `t`; the process counts as scheduled from now on. @pre t is not in the past.
  void wake_at(Time t) { root->wake_at(handle, t); }

 private:
  std::string what() const override { return what_.text(); }
  std::string on() const override { return on_.text(); }
  void suppliers(Suppliers& s) const override { (assured_ ? s.under_way : s.unknown) = true; }
  Name what_, on_;
  bool assured_ = false;
};

}  // namespace tutti::sim
