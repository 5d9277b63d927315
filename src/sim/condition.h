#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/wait.h"

namespace tutti::sim {

/// Something that processes can wait for, together with others if they wish (any_of, all_of).
class Subject : public Awaited {
 public:
  virtual bool ready() const = 0;
  /// Wakes all that wait now.
  void notify_all() { waiters_.wake_all(); }
  bool awaited() const { return !waiters_.empty(); }

 protected:
  ~Subject() = default;

 private:
  friend class Condition;
  mutable WaitList waiters_;
};

/// `co_await` goes on at once if the subject is ready, else when it notifies. `reason` overrides how the wait is
/// reported; it must live as long as the wait: a local of the coroutine that waits is right.
class Condition {
 public:
  explicit Condition(const Subject& s, Where where = Where::current(), const Awaited* reason = nullptr) : subject_(&s) {
    waiter_.reason = reason ? reason : &s;
    waiter_.where = where;
  }
  /// @pre not waiting.
  Condition(const Condition& o) : Condition(*o.subject_, o.waiter_.where, o.waiter_.reason) {}
  Condition& operator=(const Condition&) = delete;

  bool await_ready() const { return subject_->ready(); }
  template <class P>
  void await_suspend(std::coroutine_handle<P> h) {
    enlist(h, h.promise().root);
    block(*waiter_.root, waiter_);
  }
  void await_resume() const {}

  const Subject& subject() const { return *subject_; }
  const Waiter& waiter() const { return waiter_; }

 private:
  friend struct Group;
  static void block(Root& r, const Waiter& w);
  void enlist(std::coroutine_handle<> h, Root* root) {
    waiter_.handle = h;
    waiter_.root = root;
    subject_->waiters_.append(waiter_);
  }
  const Subject* subject_;
  Waiter waiter_;
};

/// Several conditions that one process waits for.
struct Group {
  explicit Group(std::span<Condition> c, bool a) : conditions(c), all(a) {}
  std::span<Condition> conditions;
  bool all;
  std::size_t missing = 0;
  std::size_t first = 0;  ///< index of the condition that ended an any_of

  bool ready();
  void suspend(std::coroutine_handle<> h, Root* root);
  void fired(Waiter& w);
};

/// Waits for the first of several conditions; gives its index. Of those that are ready already the first in the list.
template <class Conditions>
class AnyOf {
 public:
  explicit AnyOf(Conditions c) : conditions_(std::move(c)), group_(conditions_, false) {}
  AnyOf(const AnyOf&) = delete;
  bool await_ready() { return group_.ready(); }
  template <class P>
  void await_suspend(std::coroutine_handle<P> h) {
    group_.suspend(h, h.promise().root);
  }
  std::size_t await_resume() const { return group_.first; }

 private:
  Conditions conditions_;
  Group group_;
};

/// Waits until each of several conditions has been ready, not necessarily at the same time.
template <class Conditions>
class AllOf {
 public:
  explicit AllOf(Conditions c) : conditions_(std::move(c)), group_(conditions_, true) {}
  AllOf(const AllOf&) = delete;
  bool await_ready() { return group_.ready(); }
  template <class P>
  void await_suspend(std::coroutine_handle<P> h) {
    group_.suspend(h, h.promise().root);
  }
  void await_resume() const {}

 private:
  Conditions conditions_;
  Group group_;
};

/// `const auto first = co_await any_of(data.wait(), credit.wait());`
template <class... C>
auto any_of(Condition first, C... more) {
  return AnyOf<std::array<Condition, 1 + sizeof...(C)>>({first, more...});
}
/// @pre not empty.
inline auto any_of(std::vector<Condition> conditions) { return AnyOf<std::vector<Condition>>(std::move(conditions)); }
template <class... C>
auto all_of(Condition first, C... more) {
  return AllOf<std::array<Condition, 1 + sizeof...(C)>>({first, more...});
}
inline auto all_of(std::vector<Condition> conditions) { return AllOf<std::vector<Condition>>(std::move(conditions)); }

}  // namespace tutti::sim
