#include "diag/deadlock.h"

#include <algorithm>

#include "diag/clauses.h"

namespace tutti::diag {

void DeadlockDetector::blocked(const sim::Root& r) {
  if (!can_go_on(r)) report();
}

void DeadlockDetector::ended(const sim::Root& r) {
  if (!r.watched()) return;
  for (const sim::Root* other : timeline_->processes())
    if (relied_on(*other, r) && !can_go_on(*other)) return report();
}

/// `r` was one of those that could end a wait of `other`. Who depends on `other` need not be looked at: it can go on as
/// long as `other` can.
bool DeadlockDetector::relied_on(const sim::Root& other, const sim::Root& r) {
  bool found = false;
  for_each_wait(other, [&](const sim::Waiter& w) {
    suppliers_.processes.clear();
    w.reason->suppliers(suppliers_);
    found =
        found || std::find(suppliers_.processes.begin(), suppliers_.processes.end(), &r) != suppliers_.processes.end();
  });
  return found;
}

void DeadlockDetector::dead() { throw Deadlock(WaitGraph::of(*timeline_, true)); }

void DeadlockDetector::report() {
  timeline_->fail(std::make_exception_ptr(Deadlock(WaitGraph::of(*timeline_, false))));
}

bool DeadlockDetector::add(const sim::Root& r) {
  ++looks_;
  const bool all = needs_all(r);
  const std::size_t process = found_.size() - 1;
  bool every = true;
  suppliers_.processes.clear();
  suppliers_.under_way = suppliers_.unknown = false;
  const auto close = [&] {  // makes a clause of what suppliers_ holds
    bool held = suppliers_.under_way || suppliers_.unknown;
    for (const sim::Root* s : suppliers_.processes) {
      s->watch();
      held = held || (!s->done() && !s->waits());
    }
    if (!held)
      for (const sim::Root* s : suppliers_.processes)
        if (!s->done()) edges_.emplace_back(s, clauses_.size());
    clauses_.push_back({process, held});
    every = every && held;
    suppliers_.processes.clear();
    suppliers_.under_way = suppliers_.unknown = false;
  };
  for_each_wait(r, [&](const sim::Waiter& w) {
    w.reason->suppliers(suppliers_);
    if (all) close();
  });
  if (!all) close();
  return every;
}

bool DeadlockDetector::can_go_on(const sim::Root& r) {
  ++look_;
  found_.clear(), clauses_.clear(), edges_.clear();
  found_.push_back(&r);
  if (add(r)) return true;
  const std::size_t n = timeline_->processes().size();
  if (seen_.size() < n) seen_.resize(n, 0), position_.resize(n);
  seen_[r.index()] = look_;
  position_[r.index()] = 0;
  // Gather what it depends on. As long as every process on the way waits for any of its suppliers, one that can go on
  // decides.
  bool any_only = clauses_.size() == 1;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const sim::Root* const s = edges_[e].first;
    if (seen_[s->index()] == look_) continue;
    seen_[s->index()] = look_;
    position_[s->index()] = found_.size();
    found_.push_back(s);
    const std::size_t before = clauses_.size();
    const bool goes_on = add(*s);
    if (goes_on && any_only) return true;
    any_only = any_only && clauses_.size() == before + 1;
  }
  return settle();
}

/// Least fixed point over what was gathered: can the first process go on?
bool DeadlockDetector::settle() {
  std::vector<std::size_t> missing(found_.size(), 0);
  for (const Clause& c : clauses_)
    if (!c.held) ++missing[c.process];
  std::sort(edges_.begin(), edges_.end(),
            [&](const auto& a, const auto& b) { return position_[a.first->index()] < position_[b.first->index()]; });
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (missing[i] == 0) ready.push_back(i);
  while (!ready.empty()) {
    const std::size_t i = ready.back();
    ready.pop_back();
    if (i == 0) return true;
    auto e = std::lower_bound(edges_.begin(), edges_.end(), i,
                              [&](const auto& edge, std::size_t at) { return position_[edge.first->index()] < at; });
    for (; e != edges_.end() && position_[e->first->index()] == i; ++e) {
      Clause& c = clauses_[e->second];
      if (c.held) continue;
      c.held = true;
      if (--missing[c.process] == 0) ready.push_back(c.process);
    }
  }
  return false;
}

}  // namespace tutti::diag
