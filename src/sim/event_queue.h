#pragma once
#include <bit>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/units.h"
#include "sim/event.h"

namespace tutti::sim {

/// An Event or a suspended coroutine, told apart by the low pointer bit.
struct Entry {
  std::uintptr_t bits = 0;
  static Entry of(Event& e) { return {reinterpret_cast<std::uintptr_t>(&e) | 1u}; }
  static Entry of(std::coroutine_handle<> h) { return {reinterpret_cast<std::uintptr_t>(h.address())}; }
  void fire() const {
    if (bits & 1u) {
      Event& e = *reinterpret_cast<Event*>(bits & ~std::uintptr_t{1});
      e.fire(e);
    } else {
      std::coroutine_handle<>::from_address(reinterpret_cast<void*>(bits)).resume();
    }
  }
};

/// Pending events in order of (time, order of push): a monotone queue of buckets on several levels (radix heap).
///
/// An event goes into the level of the highest digit (base 64) in which its time differs from the base, which is the
/// time of the last pop, and there into the bucket of that digit. When nothing is left at the base, the lowest bucket
/// is spread over the levels below it. Events of one instant keep their order: they take the same way, first in, first
/// out.
class EventQueue {
 public:
  EventQueue() = default;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// @pre t is not before the last pop.
  void push(Time t, Entry e) {
    ++size_;
    place({static_cast<std::uint64_t>(t.ps()), e});
  }
  /// At the time of the last pop.
  void push_now(Entry e) {
    ++size_;
    append(now_, {base_, e});
  }
  bool empty() const { return size_ == 0; }
  /// Events that fit into the memory taken so far.
  std::size_t capacity() const { return blocks_.size() * 16 * 62; }
  /// Something is left at the time of the last pop.
  bool at_base() const { return now_.head != nullptr; }
  /// @pre not empty. Does not move the base.
  Time next_time() const {
    if (now_.head) return Time::ps(static_cast<std::int64_t>(base_));
    if (next_ == none) next_ = find_next();
    return Time::ps(static_cast<std::int64_t>(next_));
  }
  /// @pre not empty.
  Entry pop() {
    if (!now_.head) advance();
    --size_;
    Block* const b = now_.head;
    const Entry e = b->items[now_.first++].entry;
    if (now_.first == b->count) {
      now_.head = b->next;
      now_.first = 0;
      give(b);
    }
    return e;
  }

 private:
  static constexpr int digit = 6, levels = 11;
  static constexpr std::uint64_t none = UINT64_MAX;
  struct Item {
    std::uint64_t time;
    Entry entry;
  };
  struct Block {
    Item items[62];
    std::uint32_t count;
    Block* next;
  };
  struct Bucket {
    Block* head = nullptr;
    Block* tail = nullptr;
    std::uint32_t first = 0;  ///< of the head block: items before it are gone
  };

  void place(Item item) {
    const std::uint64_t differs = item.time ^ base_;
    if (differs == 0) return append(now_, item);
    const int level = (63 - std::countl_zero(differs)) / digit;
    const std::uint64_t slot = item.time >> (level * digit) & 63;
    used_[level] |= std::uint64_t{1} << slot;
    levels_used_ |= 1U << level;
    if (item.time < next_) next_ = next_ == none ? none : item.time;
    append(buckets_[level][slot], item);
  }
  void append(Bucket& b, Item item) {
    if (!b.head) {
      b.head = b.tail = take();
      b.first = 0;
    } else if (b.tail->count == 62) {
      b.tail = b.tail->next = take();
    }
    b.tail->items[b.tail->count++] = item;
  }
  /// Lowest bucket in use: later digits than the base's on the lowest level.
  Bucket& lowest(int& level, std::uint64_t& slot) {
    level = std::countr_zero(levels_used_);
    slot = static_cast<std::uint64_t>(std::countr_zero(used_[level]));
    return buckets_[level][slot];
  }
  std::uint64_t find_next() const {
    int level = 0;
    std::uint64_t slot = 0;
    const Bucket& b = const_cast<EventQueue*>(this)->lowest(level, slot);
    return earliest(b);
  }
  static std::uint64_t earliest(const Bucket& b) {
    std::uint64_t t = none;
    for (const Block* k = b.head; k; k = k->next)
      for (std::uint32_t i = 0; i < k->count; ++i)
        if (k->items[i].time < t) t = k->items[i].time;
    return t;
  }
  /// Moves the base to the earliest event and everything of that instant to now_.
  void advance() {
    int level = 0;
    std::uint64_t slot = 0;
    Bucket& b = lowest(level, slot);
    base_ = next_ != none ? next_ : level == 0 ? (base_ & ~std::uint64_t{63}) | slot : earliest(b);
    next_ = none;
    used_[level] &= ~(std::uint64_t{1} << slot);
    if (used_[level] == 0) levels_used_ &= ~(1U << level);
    Block* k = b.head;
    b = {};
    if (level == 0) {  // all of one instant
      now_.head = k;
      now_.first = 0;
      while (k->next) k = k->next;
      now_.tail = k;
      return;
    }
    while (k) {
      for (std::uint32_t i = 0; i < k->count; ++i) place(k->items[i]);
      Block* const done = k;
      k = k->next;
      give(done);
    }
  }

  Block* take() {
    if (!free_) {
      blocks_.push_back(std::make_unique<Block[]>(16));
      for (std::size_t i = 0; i < 16; ++i) give(&blocks_.back()[i]);
    }
    Block* const b = free_;
    free_ = b->next;
    b->count = 0;
    b->next = nullptr;
    return b;
  }
  void give(Block* b) {
    b->next = free_;
    free_ = b;
  }

  Bucket now_;  ///< events at the base
  std::uint64_t base_ = 0;
  mutable std::uint64_t next_ = none;  ///< earliest time beyond the base, if known
  std::size_t size_ = 0;
  std::uint32_t levels_used_ = 0;
  std::uint64_t used_[levels] = {};
  Bucket buckets_[levels][64];
  std::vector<std::unique_ptr<Block[]>> blocks_;
  Block* free_ = nullptr;
};

}  // namespace tutti::sim
