#include "sim/condition.h"

#include "base/error.h"
#include "sim/root.h"

namespace tutti::sim {

void Condition::block(Root& r, const Waiter& w) { r.block(w); }

void Waiter::wake() {
  if (group)
    group->fired(*this);
  else
    root->wake(handle);
}

bool Group::ready() {
  CHECK(all || !conditions.empty(), "any_of nothing never ends");
  missing = 0;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].await_ready()) {
      first = i;
      if (!all) return true;
    } else {
      ++missing;
    }
  }
  return missing == 0;
}

void Group::suspend(std::coroutine_handle<> h, Root* root) {
  if (!all) missing = 1;
  const Waiter* shown = nullptr;
  for (Condition& c : conditions) {
    if (all && c.await_ready()) continue;
    c.waiter_.group = this;
    c.enlist(h, root);
    if (!shown) shown = &c.waiter_;
  }
  root->block(*shown);
}

void Group::fired(Waiter& w) {
  if (--missing > 0) {
    // What a report shows first must be something that is still awaited.
    return;
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    Waiter& other = conditions[i].waiter_;
    if (&other == &w) first = i;
    if (other.linked()) other.unlink();
  }
  w.root->wake(w.handle);
}

}  // namespace tutti::sim
