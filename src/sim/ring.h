#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tutti::sim {

/// First in, first out, in a ring that doubles when it is full and costs nothing while it has never held anything.
template <class T>
class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    while (size_ > 0) pop();
    release(items_, capacity_);
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  void push(T item) {
    if (size_ == capacity_) grow();
    ::new (static_cast<void*>(items_ + ((first_ + size_) & (capacity_ - 1)))) T(std::move(item));
    ++size_;
  }
  /// @pre not empty.
  T pop() {
    T& front = items_[first_];
    T item = std::move(front);
    front.~T();
    first_ = (first_ + 1) & (capacity_ - 1);
    --size_;
    return item;
  }

 private:
  void grow() {
    const std::size_t wider = capacity_ ? 2 * capacity_ : 4;
    T* const to = std::allocator<T>().allocate(wider);
    const std::size_t n = size_;
    for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(to + i)) T(pop());
    release(items_, capacity_);
    items_ = to, capacity_ = wider, first_ = 0, size_ = n;
  }
  static void release(T* items, std::size_t n) {
    if (items) std::allocator<T>().deallocate(items, n);
  }
  T* items_ = nullptr;
  std::size_t capacity_ = 0, first_ = 0, size_ = 0;
};

}  // namespace tutti::sim
