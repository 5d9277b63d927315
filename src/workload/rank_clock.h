#pragma once
#include "base/pool.h"
#include "sim/simulation.h"

namespace tutti::workload {

/// A rank's own delays. What the rank schedules for one instant runs together, in the order of scheduling, at the place
/// that the first of it took among the events of all ranks; a delay of 0 during that instant joins it.
class RankClock {
 public:
  /// Something to run; the owner keeps it alive until then, and it may be scheduled again from its own fire().
  struct Item {
    using Fire = void (*)(Item&);
    explicit Item(Fire f) : fire(f) {}
    Fire fire;
    Item* next = nullptr;
  };
  struct Instant : sim::Event {
    Instant(RankClock& c, Time t) : sim::Event(&RankClock::run), clock(&c), time(t) {}
    RankClock* clock;
    Time time;
    Item* head = nullptr;
    Item* tail = nullptr;
    Instant* next = nullptr;
  };

  RankClock(sim::Simulation& simulation, Pool<Instant>& pool) : simulation_(&simulation), pool_(&pool) {}

  void after(Time delay, Item& item) {
    const Time t = simulation_->now() + delay;
    item.next = nullptr;
    for (Instant* i = pending_; i; i = i->next) {
      if (i->time != t) continue;
      (i->head ? i->tail->next : i->head) = &item;
      i->tail = &item;
      return;
    }
    Instant* const made = pool_->take(*this, t);
    made->head = made->tail = &item;
    made->next = pending_;
    pending_ = made;
    simulation_->at(t, *made);
  }
  Time now() const { return simulation_->now(); }

 private:
  static void run(sim::Event& e) {
    auto& instant = static_cast<Instant&>(e);
    while (Item* const item = instant.head) {
      instant.head = item->next;
      item->fire(*item);
    }
    RankClock& clock = *instant.clock;
    Instant** at = &clock.pending_;
    while (*at != &instant) at = &(*at)->next;
    *at = instant.next;
    clock.pool_->give(&instant);
  }

  sim::Simulation* simulation_;
  Pool<Instant>* pool_;
  Instant* pending_ = nullptr;
};

}  // namespace tutti::workload
