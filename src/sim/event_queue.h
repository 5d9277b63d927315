#pragma once
#include <coroutine>
#include <cstdint>
#include <queue>
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

/// First in, first out, in memory that is reused once it has drained.
class Fifo {
 public:
  void push(Entry e) { entries_.push_back(e); }
  Entry pop() {
    const Entry e = entries_[next_++];
    if (next_ == entries_.size()) {
      entries_.clear();
      next_ = 0;
    }
    return e;
  }
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

/// Pending events in order of (time, order of push).
class EventQueue {
 public:
  void push(Time t, Entry e) { heap_.push({t, sequence_++, e}); }
  bool empty() const { return heap_.empty(); }
  Time next_time() const { return heap_.top().time; }
  Entry pop() {
    const Entry e = heap_.top().entry;
    heap_.pop();
    return e;
  }

 private:
  struct Item {
    Time time;
    std::uint64_t sequence;
    Entry entry;
    bool operator<(const Item& o) const { return time != o.time ? time > o.time : sequence > o.sequence; }
  };
  std::priority_queue<Item> heap_;
  std::uint64_t sequence_ = 0;
};

}  // namespace tutti::sim
