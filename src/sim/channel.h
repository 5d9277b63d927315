#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "sim/gate.h"
#include "sim/resource.h"
#include "sim/ring.h"

namespace tutti::sim {

/// Queue of items; they reach getters in order of arrival. Unbounded unless it has a capacity: then send() waits for
/// room, and put() is an error when there is none. A Subject: ready while it holds an item.
template <class T>
class Channel final : public NamedSubject {
  struct Node : Waiter {
    std::optional<T> item;
    template <class P>
    void suspend(WaitList& list, std::coroutine_handle<P> h) {
      handle = h;
      root = h.promise().root;
      list.append(*this);
      root->block(*this);
    }
  };

 public:
  explicit Channel(Name what = "channel", Name on = "", std::size_t capacity = std::numeric_limits<std::size_t>::max())
      : NamedSubject(what, on), capacity_(capacity), room_(*this) {}

  /// Gives the item that has waited longest, in turn with other getters.
  class Get {
   public:
    Get(Channel& c, Where where) : channel_(&c) {
      node_.reason = &c;
      node_.where = where;
    }
    Get(const Get&) = delete;
    bool await_ready() {
      if (channel_->items_.empty()) return false;
      node_.item.emplace(channel_->take());
      return true;
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      node_.suspend(channel_->getters_, h);
    }
    T await_resume() { return std::move(*node_.item); }

   private:
    Channel* channel_;
    Node node_;
  };
  Get get(Where where = Where::current()) { return Get(*this, where); }

  /// Waits until there is room, in turn with other senders.
  class Send {
   public:
    Send(Channel& c, T item, Where where) : channel_(&c) {
      node_.item.emplace(std::move(item));
      node_.reason = &c.room_;
      node_.where = where;
    }
    Send(const Send&) = delete;
    bool await_ready() { return channel_->offer(*node_.item); }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      node_.suspend(channel_->senders_, h);
    }
    void await_resume() const {}

   private:
    Channel* channel_;
    Node node_;
  };
  Send send(T item, Where where = Where::current()) { return Send(*this, std::move(item), where); }

  /// @pre not full.
  void put(T item) { CHECK(offer(item), what() + " on " + on() + ": put into a full channel"); }
  /// Takes an item that is there. Not fair: it does not wait behind getters, who would have taken it.
  std::optional<T> try_get() {
    if (items_.empty()) return std::nullopt;
    return take();
  }
  std::size_t size() const { return items_.size(); }
  bool ready() const override { return !items_.empty(); }
  /// Condition to wait for until there is room; whoever comes first may take it.
  Condition writable(Where where = Where::current()) const { return Condition(room_, where); }

 private:
  struct Room final : Subject {
    explicit Room(const Channel& c) : channel(&c) {}
    std::string what() const override { return "room for " + channel->what(); }
    std::string on() const override { return channel->on(); }
    bool ready() const override { return channel->items_.size() < channel->capacity_; }
    const Channel* channel;
  };
  /// Takes `item` unless full.
  bool offer(T& item) {
    if (!getters_.empty()) {
      Node& n = static_cast<Node&>(getters_.take_front());
      n.item.emplace(std::move(item));
      n.wake();
      return true;
    }
    if (items_.size() >= capacity_) return false;
    items_.push(std::move(item));
    if (awaited()) notify_all();
    return true;
  }
  T take() {
    T item = items_.pop();
    if (!senders_.empty()) {
      Node& n = static_cast<Node&>(senders_.take_front());
      items_.push(std::move(*n.item));
      n.wake();
    } else if (room_.awaited()) {
      room_.notify_all();
    }
    return item;
  }

  Ring<T> items_;
  std::size_t capacity_;
  WaitList getters_, senders_;
  Room room_;
};

}  // namespace tutti::sim
