#pragma once
#include <coroutine>
#include <exception>
#include <utility>

namespace tutti::plan {

/// A lazy sequence: the coroutine runs to its next `co_yield` when next() is called. Holds one frame and one value, so
/// a schedule of any length takes constant memory. Not resumed after an exception.
template <class T>
class [[nodiscard]] Generator {
 public:
  struct promise_type {
    T value;
    std::exception_ptr error;
    Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) noexcept {
      value = std::move(v);
      return {};
    }
    void return_void() {}
    void unhandled_exception() noexcept { error = std::current_exception(); }
  };

  Generator() = default;
  explicit Generator(std::coroutine_handle<promise_type> h) : h_(h) {}
  Generator(Generator&& o) noexcept : h_(std::exchange(o.h_, {})) {}
  Generator& operator=(Generator&& o) noexcept {
    std::swap(h_, o.h_);
    return *this;
  }
  ~Generator() {
    if (h_) h_.destroy();
  }

  /// The next value, or null at the end. Valid until the next call.
  /// @throws what the coroutine throws.
  const T* next() {
    if (!h_ || h_.done()) return nullptr;
    h_.resume();
    if (h_.promise().error) std::rethrow_exception(h_.promise().error);
    return h_.done() ? nullptr : &h_.promise().value;
  }

 private:
  std::coroutine_handle<promise_type> h_;
};

}  // namespace tutti::plan
