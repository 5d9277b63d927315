#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tutti {

/// Objects of one type that come and go: taken from and given back to a free list, in blocks that live as long as the
/// pool. Objects still out when the pool dies are not destroyed: T needs a trivial destructor.
template <class T>
class Pool {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  template <class... A>
  T* take(A&&... arguments) {
    if (!free_) grow();
    Cell* const cell = free_;
    free_ = cell->next;
    ++out_;
    return ::new (static_cast<void*>(cell->space)) T(std::forward<A>(arguments)...);
  }
  void give(T* object) {
    Cell* const cell = reinterpret_cast<Cell*>(object);
    cell->next = free_;
    free_ = cell;
    --out_;
  }
  /// Objects taken and not given back.
  std::size_t out() const { return out_; }

 private:
  union Cell {
    Cell* next;
    alignas(T) std::byte space[sizeof(T)];
  };
  void grow() {
    const std::size_t n = blocks_.empty() ? 16 : 128;
    blocks_.push_back(std::make_unique<Cell[]>(n));
    for (std::size_t i = n; i-- > 0;) {
      blocks_.back()[i].next = free_;
      free_ = &blocks_.back()[i];
    }
  }
  std::vector<std::unique_ptr<Cell[]>> blocks_;
  Cell* free_ = nullptr;
  std::size_t out_ = 0;
};

}  // namespace tutti
