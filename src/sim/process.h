#pragma once
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "sim/event.h"

namespace tutti::sim {

class Simulation;

/// A root process: what it runs and what it waits for. It waits at one place at a time, so it is its own wake-up event.
struct Root : Event {
  Root(Simulation& s, std::string n)
      : Event([](Event& e) { static_cast<Root&>(e).run(); }), simulation(s), name(std::move(n)) {}
  ~Root() {
    if (top) top.destroy();
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  void run();
  void wait(std::coroutine_handle<> h, const char* what, const char* on);
  void wake();

  Simulation& simulation;
  std::string name;
  std::coroutine_handle<> next;       ///< resumed next by run()
  std::coroutine_handle<> suspended;  ///< resumed by the wake-up
  std::coroutine_handle<> top;
  const char* waits_for = nullptr;  ///< null while scheduled or running
  const char* waits_on = nullptr;
  Time since;
  bool done = false;
  std::exception_ptr error;
  std::vector<Root*> joiners;
  std::size_t index = 0;
};

struct PromiseBase {
  Root* root = nullptr;
  std::coroutine_handle<> awaiter;
  std::exception_ptr error;
  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) noexcept {
      PromiseBase& p = h.promise();
      if (p.awaiter) {
        p.root->next = p.awaiter;
      } else {
        p.root->done = true;
        p.root->error = p.error;
      }
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

/// A lazy coroutine: runs when awaited or spawned. Its result, or its exception, reaches the awaiter. The root resumes
/// it from a loop, so depth and number of sub-processes never grow the stack. With g++ 12 hoist results: `const auto r
/// = co_await x; if (r) ...`.
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
  void await_suspend(std::coroutine_handle<P> h) {
    h_.promise().awaiter = h;
    h_.promise().root = h.promise().root;
    h.promise().root->next = h_;
  }
  T await_resume() {
    if (h_.promise().error) std::rethrow_exception(h_.promise().error);
    return h_.promise().take();
  }

 private:
  std::coroutine_handle<promise_type> h_;
};

/// `co_await handle.done()` waits for a spawned process to end.
class ProcessHandle {
 public:
  explicit ProcessHandle(std::shared_ptr<Root> r) : root_(std::move(r)) {}
  bool finished() const { return root_->done; }
  struct Join {
    explicit Join(Root* r) : root(r) {}
    bool await_ready() const { return root->done; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      root->joiners.push_back(h.promise().root);
      h.promise().root->wait(h, "end of process", root->name.c_str());
    }
    void await_resume() {}
    Root* root;
  };
  /// The handle must outlive the wait.
  Join done() const { return Join(root_.get()); }

 private:
  std::shared_ptr<Root> root_;
};

}  // namespace tutti::sim
