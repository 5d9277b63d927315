#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/gate.h"

namespace tutti::sim {

/// `capacity` units, granted one each in order of arrival.
class Resource final : public NamedSubject {
 public:
  explicit Resource(std::int64_t capacity, Name what = "resource", Name on = "")
      : NamedSubject(what, on), capacity_(capacity), free_(capacity) {}

  class Acquire {
   public:
    Acquire(Resource& r, Where where) : resource_(&r) {
      waiter_.reason = &r;
      waiter_.where = where;
    }
    bool await_ready() const {
      if (resource_->free_ == 0) return false;
      --resource_->free_;
      return true;
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      waiter_.handle = h;
      waiter_.root = h.promise().root;
      resource_->queue_.append(waiter_);
      waiter_.root->block(waiter_);
    }
    void await_resume() const {}

   protected:
    Resource* resource_;
    Waiter waiter_;
  };
  Acquire acquire(Where where = Where::current()) { return Acquire(*this, where); }
  void release() {
    if (!queue_.empty()) return queue_.wake_one();
    ++free_;
    notify_all();
  }
  std::int64_t free() const { return free_; }
  bool ready() const override { return free_ > 0; }

  /// A unit that goes back at the end of its scope. Its holder is known to whoever looks for deadlocks.
  class Hold {
   public:
    Hold(Resource& r, const Root& holder) : resource_(&r), holder_(&holder) { r.holders_.push_back(holder_); }
    Hold(Hold&& o) noexcept : resource_(std::exchange(o.resource_, nullptr)), holder_(o.holder_) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold() { release(); }
    void release() {
      if (!resource_) return;
      auto& all = resource_->holders_;
      all.erase(std::find(all.begin(), all.end(), holder_));
      std::exchange(resource_, nullptr)->release();
    }

   private:
    Resource* resource_;
    const Root* holder_;
  };
  class AcquireHold : public Acquire {
   public:
    AcquireHold(Resource& r, Where where) : Acquire(r, where) {}
    bool await_ready() const { return false; }
    /// Suspends only if nothing is free.
    template <class P>
    bool await_suspend(std::coroutine_handle<P> h) {
      waiter_.root = h.promise().root;
      if (Acquire::await_ready()) return false;
      Acquire::await_suspend(h);
      return true;
    }
    Hold await_resume() const { return Hold(*resource_, *waiter_.root); }
  };
  /// `const auto hold = co_await bank.hold();`
  AcquireHold hold(Where where = Where::current()) { return AcquireHold(*this, where); }

  /// The holders, if all units are held by a Hold.
  void suppliers(Suppliers& s) const override {
    if (static_cast<std::int64_t>(holders_.size()) < capacity_) return NamedSubject::suppliers(s);
    s.processes.insert(s.processes.end(), holders_.begin(), holders_.end());
  }

 private:
  std::int64_t capacity_;
  std::int64_t free_;
  WaitList queue_;
  std::vector<const Root*> holders_;
};

}  // namespace tutti::sim
