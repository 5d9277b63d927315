#pragma once
#include <coroutine>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "sim/process.h"

namespace tutti::sim {

/// Condition that can be awaited: level-triggered, closed at first. Waiters wake in order of arrival.
class Gate {
 public:
  explicit Gate(const char* name = "gate", const char* owner = "") : name_(name), owner_(owner) {}
  void open() { open_ = true, notify_all(); }
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  /// Wakes all that wait now; the gate stays as it is.
  void notify_all() {
    std::deque<Root*> woken;
    woken.swap(waiters_);
    for (Root* r : woken) r->wake();
  }
  struct Wait {
    explicit Wait(Gate& g) : gate(&g) {}
    bool await_ready() const { return gate->open_; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      gate->waiters_.push_back(h.promise().root);
      h.promise().root->wait(h, gate->name_, gate->owner_);
    }
    void await_resume() {}
    Gate* gate;
  };
  Wait wait() { return Wait(*this); }

 private:
  const char* name_;
  const char* owner_;
  bool open_ = false;
  std::deque<Root*> waiters_;
};

/// `capacity` units, granted one each in order of arrival.
class Resource {
 public:
  explicit Resource(std::int64_t capacity, const char* name = "resource", const char* owner = "")
      : free_(capacity), name_(name), owner_(owner) {}
  struct Wait {
    explicit Wait(Resource& r) : resource(&r) {}
    bool await_ready() const {
      if (resource->free_ == 0) return false;
      --resource->free_;
      return true;
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      resource->waiters_.push_back(h.promise().root);
      h.promise().root->wait(h, resource->name_, resource->owner_);
    }
    void await_resume() {}
    Resource* resource;
  };
  Wait acquire() { return Wait(*this); }
  void release() {
    if (waiters_.empty()) {
      ++free_;
      return;
    }
    Root* r = waiters_.front();
    waiters_.pop_front();
    r->wake();
  }

 private:
  std::int64_t free_;
  const char* name_;
  const char* owner_;
  std::deque<Root*> waiters_;
};

/// Unbounded queue of items: put() never waits; items reach getters in order of arrival.
template <class T>
class Channel {
 public:
  explicit Channel(const char* name = "channel", const char* owner = "") : name_(name), owner_(owner) {}
  struct Get {
    explicit Get(Channel& c) : channel(&c) {}
    Get(const Get&) = delete;
    bool await_ready() {
      if (channel->items_.empty()) return false;
      item.emplace(std::move(channel->items_.front()));
      channel->items_.pop_front();
      return true;
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      root = h.promise().root;
      channel->getters_.push_back(this);
      root->wait(h, channel->name_, channel->owner_);
    }
    T await_resume() { return std::move(*item); }
    Channel* channel;
    Root* root = nullptr;
    std::optional<T> item;
  };
  Get get() { return Get(*this); }
  void put(T item) {
    if (getters_.empty()) {
      items_.push_back(std::move(item));
      return;
    }
    Get* g = getters_.front();
    getters_.pop_front();
    g->item.emplace(std::move(item));
    g->root->wake();
  }
  std::size_t size() const { return items_.size(); }

 private:
  const char* name_;
  const char* owner_;
  std::deque<T> items_;
  std::deque<Get*> getters_;
};

}  // namespace tutti::sim
