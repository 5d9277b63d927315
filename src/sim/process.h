#pragma once
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "sim/frame_pool.h"
#include "sim/root.h"

namespace tutti::sim {

/// What a coroutine that suspends hands over to: by symmetric transfer, which is a tail call in optimised builds, or
/// through the run loop where it would grow the stack (debug and sanitizer builds).
#ifdef TUTTI_TRAMPOLINE
using Handover = void;
#else
using Handover = std::coroutine_handle<>;
#endif

struct PromiseBase {
  Root* root = nullptr;
  std::coroutine_handle<> awaiter;
  std::exception_ptr error;

  static void* operator new(std::size_t n) { return frames::take(n); }
  static void operator delete(void* p, std::size_t n) noexcept { frames::give(p, n); }
  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
  static Handover hand_over(Root& r, std::coroutine_handle<> h) noexcept {
#ifdef TUTTI_TRAMPOLINE
    r.timeline_->next_ = h;
#else
    static_cast<void>(r);
    return h;
#endif
  }
  Handover ended() noexcept {
    if (awaiter) return hand_over(*root, awaiter);
    Timeline& t = *root->timeline_;
    if (error) t.fail(error);
    t.ended_ = root;
    t.attention_ = true;
#ifndef TUTTI_TRAMPOLINE
    return std::noop_coroutine();
#endif
  }
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P>
    Handover await_suspend(std::coroutine_handle<P> h) noexcept {
      return h.promise().ended();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  std::coroutine_handle<Promise> get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
  template <class U>
  void return_value(U&& v) {
    value.emplace(std::forward<U>(v));
  }
  T take() { return std::move(*value); }
};
template <>
struct Promise<void> : PromiseBase {
  std::coroutine_handle<Promise> get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
  void return_void() {}
  void take() {}
};

/// A lazy coroutine: runs when awaited or spawned. Its result, or its exception, reaches the awaiter. Neither depth nor
/// number of sub-processes grows the stack. With g++ 12 hoist results: `const auto r = co_await x; if (r) ...`.
template <class T = void>
class [[nodiscard]] Process {
 public:
  using promise_type = Promise<T>;
  Process(std::coroutine_handle<promise_type> h) : h_(h) {}
  Process(Process&& o) noexcept : h_(std::exchange(o.h_, {})) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (h_) h_.destroy();
  }
  std::coroutine_handle<promise_type> release() { return std::exchange(h_, {}); }

  bool await_ready() const noexcept { return false; }
  template <class P>
  Handover await_suspend(std::coroutine_handle<P> h) {
    PromiseBase& mine = h_.promise();
    mine.awaiter = h;
    mine.root = h.promise().root;
    return PromiseBase::hand_over(*mine.root, h_);
  }
  T await_resume() {
    if (h_.promise().error) std::rethrow_exception(h_.promise().error);
    return h_.promise().take();
  }

 private:
  std::coroutine_handle<promise_type> h_;
};

/// A spawned process, seen from outside.
class ProcessHandle {
 public:
  explicit ProcessHandle(Root& r) : root_(&r) { ++root_->references_; }
  ProcessHandle(const ProcessHandle& o) : ProcessHandle(*o.root_) {}
  ProcessHandle& operator=(ProcessHandle o) {
    std::swap(root_, o.root_);
    return *this;
  }
  ~ProcessHandle() { root_->drop(); }
  bool finished() const { return root_->done(); }
  const Root& root() const { return *root_; }
  /// `co_await handle.done()` waits for the end. The handle must outlive the wait.
  Condition done(Where where = Where::current()) const { return Condition(*root_, where); }

 private:
  Root* root_;
};

}  // namespace tutti::sim
