#pragma once
#include "sim/condition.h"
#include "sim/root.h"

namespace tutti::diag {

/// Calls `f(const sim::Waiter&)` for each thing that a blocked process still waits for.
template <class F>
void for_each_wait(const sim::Root& r, F f) {
  const sim::Waiter* const first = r.waits();
  if (!first) return;
  if (!first->group) return f(*first);
  for (const sim::Condition& c : first->group->conditions)
    if (c.waiter().linked()) f(c.waiter());
}

/// It waits for all of them, not for the first.
inline bool needs_all(const sim::Root& r) { return r.waits() && r.waits()->group && r.waits()->group->all; }

}  // namespace tutti::diag
