#include "diag/wait_graph.h"

#include <algorithm>
#include <unordered_map>

#include "diag/clauses.h"
#include "sim/component.h"

namespace tutti::diag {
namespace {

std::string place_of(const sim::Where& w) {
  const std::string path = w.file_name();
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(w.line());
}

/// The least fixed point: a process can go on if its edges can, an edge if it is open or a supplier can go on.
void find_dead(WaitGraph& g) {
  std::vector<char> alive(g.processes.size(), 0);
  for (bool changed = !g.ended; changed;) {
    changed = false;
    for (std::size_t i = 0; i < g.processes.size(); ++i) {
      if (alive[i]) continue;
      const BlockedProcess& p = g.processes[i];
      const auto can_end = [&](const WaitEdge& e) {
        return e.open || std::any_of(e.suppliers.begin(), e.suppliers.end(), [&](std::size_t s) { return alive[s]; });
      };
      const bool goes_on = p.waits.empty() || (p.needs_all ? std::all_of(p.waits.begin(), p.waits.end(), can_end)
                                                           : std::any_of(p.waits.begin(), p.waits.end(), can_end));
      if (goes_on) alive[i] = 1, changed = true;
    }
  }
  for (std::size_t i = 0; i < g.processes.size(); ++i) g.processes[i].dead = !alive[i];
}

/// A dead supplier that holds `p` up, or npos.
std::size_t held_up_by(const WaitGraph& g, const BlockedProcess& p) {
  for (const WaitEdge& e : p.waits) {
    if (e.open && !g.ended) continue;
    for (const std::size_t s : e.suppliers)
      if (g.processes[s].dead) return s;
  }
  return WaitGraph::npos;
}

void find_cycle(WaitGraph& g) {
  std::vector<std::size_t> walk(g.processes.size(), 0);
  for (std::size_t start = 0; start < g.processes.size(); ++start) {
    std::size_t at = start;
    while (at != WaitGraph::npos && g.processes[at].dead && walk[at] == 0) {
      walk[at] = start + 1;
      at = held_up_by(g, g.processes[at]);
    }
    if (at == WaitGraph::npos || walk[at] != start + 1) continue;
    for (std::size_t i = at; g.cycle.empty() || i != at; i = held_up_by(g, g.processes[i])) g.cycle.push_back(i);
    return;
  }
}

void describe_components(WaitGraph& g, const sim::Timeline& t) {
  std::vector<std::string> wanted;
  for (const BlockedProcess& p : g.processes)
    for (const WaitEdge& e : p.waits)
      if (p.dead && !e.on.empty()) wanted.push_back(e.on);
  std::sort(wanted.begin(), wanted.end());
  for (const sim::Component* c : t.components()) {
    // The component itself, or a part of it.
    bool found = false;
    for (std::string path = c->path(); !found && !path.empty();
         path = path.find('.') == std::string::npos ? "" : path.substr(0, path.rfind('.')))
      found = std::binary_search(wanted.begin(), wanted.end(), path);
    if (!found) continue;
    std::string fields;
    for (const sim::Field& f : c->inspect()) fields += (fields.empty() ? "" : ", ") + f.name + " " + f.value;
    if (!fields.empty()) g.components.push_back(c->path() + ": " + fields);
  }
  std::sort(g.components.begin(), g.components.end());
}

}  // namespace

WaitGraph WaitGraph::of(const sim::Timeline& t, bool ended) {
  WaitGraph g;
  g.when = t.now();
  g.ended = ended;
  std::vector<const sim::Root*> blocked;
  for (const sim::Root* r : t.processes())
    if (r->waits()) blocked.push_back(r);
  std::stable_sort(blocked.begin(), blocked.end(), [](const sim::Root* a, const sim::Root* b) {
    return a->since() != b->since() ? a->since() < b->since() : a->name() < b->name();
  });
  std::unordered_map<const sim::Root*, std::size_t> index;
  for (std::size_t i = 0; i < blocked.size(); ++i) index[blocked[i]] = i;
  for (const sim::Root* r : blocked) {
    BlockedProcess p;
    p.name = r->name();
    p.since = r->since();
    p.needs_all = needs_all(*r);
    for_each_wait(*r, [&](const sim::Waiter& w) {
      WaitEdge e{w.reason->what(), w.reason->on(), w.reason->state(), place_of(w.where), {}, {}, false};
      sim::Suppliers s;
      w.reason->suppliers(s);
      e.open = s.under_way || s.unknown;
      for (const sim::Root* by : s.processes) {
        if (by->done())
          e.ended.push_back(by->name());
        else if (by->waits())
          e.suppliers.push_back(index.at(by));
        else
          e.open = true;
      }
      p.waits.push_back(std::move(e));
    });
    g.processes.push_back(std::move(p));
  }
  find_dead(g);
  find_cycle(g);
  describe_components(g, t);
  return g;
}

WaitGraph::Missing WaitGraph::missing_partner() const {
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const BlockedProcess& p = processes[i];
    if (!p.dead) continue;
    for (std::size_t e = 0; e < p.waits.size(); ++e)
      if (p.waits[e].suppliers.empty() && !p.waits[e].open) return {i, e};
  }
  return {npos, npos};
}

std::vector<WaitGraph::Wait> WaitGraph::waits() const {
  std::vector<Wait> all;
  for (const BlockedProcess& p : processes)
    for (const WaitEdge& e : p.waits) all.push_back({p.name, e.what, e.on, e.place, p.since});
  return all;
}

std::vector<std::string> WaitGraph::cycle_names() const {
  std::vector<std::string> names;
  for (const std::size_t i : cycle) names.push_back(processes[i].name);
  return names;
}

}  // namespace tutti::diag
