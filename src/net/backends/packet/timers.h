#pragma once
#include "base/pool.h"
#include "sim/simulation.h"

namespace tutti::net::packet {

/// An alarm that can be called off. It belongs to its pool again once it has rung.
struct Timer : sim::Event {
  using Ring = void (*)(void* owner);
  Timer() : sim::Event(nullptr) {}
  Ring ring = nullptr;
  void* owner = nullptr;
  std::int64_t due_ps = 0;
  Pool<Timer>* pool = nullptr;
};

class Timers {
 public:
  explicit Timers(sim::Simulation& simulation) : simulation_(simulation) {}

  /// Calls ring(owner) at `due_ps`. The result is valid until then, or until it is called off.
  Timer* set(std::int64_t due_ps, Timer::Ring ring, void* owner) {
    Timer* const t = pool_.take();
    t->ring = ring;
    t->owner = owner;
    t->due_ps = due_ps;
    t->pool = &pool_;
    t->fire = [](sim::Event& e) {
      auto& self = static_cast<Timer&>(e);
      const Timer::Ring call = self.ring;
      void* const whom = self.owner;
      self.pool->give(&self);
      if (call) call(whom);
    };
    simulation_.at(Time::ps(due_ps), *t);
    return t;
  }
  static void cancel(Timer*& t) {
    if (t) t->ring = nullptr;
    t = nullptr;
  }

 private:
  sim::Simulation& simulation_;
  Pool<Timer> pool_;
};

}  // namespace tutti::net::packet
