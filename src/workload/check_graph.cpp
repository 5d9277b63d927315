#include "workload/check_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tutti::workload {
namespace {
constexpr std::uint32_t never = UINT32_MAX;
}

DependencyGraph::DependencyGraph(const Trace& trace)
    : trace_(trace), first_(trace.nodes.size() + 1), parents_(trace.nodes.size()), round_(trace.nodes.size(), never) {
  const auto n = static_cast<std::uint32_t>(trace.nodes.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto parents = trace.parents(trace.nodes[i]);
    parents_[i] = static_cast<std::uint32_t>(parents.size());
    for (const std::uint32_t p : parents) ++first_[p + 1];
  }
  for (std::uint32_t i = 0; i < n; ++i) first_[i + 1] += first_[i];
  children_.resize(first_[n]);
  std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const std::uint32_t p : trace.parents(trace.nodes[i])) children_[at[p]++] = i;
  // A node comes in the round of its latest parent, or in the next if that parent has a larger id.
  std::vector<std::uint32_t>& missing = at;
  missing = parents_;
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < n; ++i)
    if (missing[i] == 0) ready.push_back(i), round_[i] = 0;
  std::vector<std::uint32_t> latest(n);
  std::size_t done = 0;
  while (!ready.empty()) {
    const std::uint32_t p = ready.back();
    ready.pop_back();
    ++done;
    for (const std::uint32_t c : children(p)) {
      latest[c] = std::max(latest[c], round_[p] + (trace.nodes[p].id > trace.nodes[c].id ? 1U : 0U));
      if (--missing[c] != 0) continue;
      round_[c] = latest[c];
      ready.push_back(c);
    }
  }
  acyclic_ = done == n;
}

std::vector<std::vector<std::uint32_t>> DependencyGraph::cycles(std::size_t most) const {
  std::vector<std::vector<std::uint32_t>> all;
  if (acyclic_) return all;
  // Every node left over has a parent that is left over, so walking up from it comes round or meets an earlier walk.
  std::vector<std::uint32_t> walk(trace_.nodes.size()), path;
  for (std::uint32_t start = 0; start < trace_.nodes.size() && all.size() < most; ++start) {
    if (round_[start] != never || walk[start] != 0) continue;
    std::uint32_t at = start;
    path.clear();
    while (walk[at] == 0) {
      walk[at] = start + 1;
      path.push_back(at);
      for (const std::uint32_t p : trace_.parents(trace_.nodes[at]))
        if (round_[p] == never) {
          at = p;
          break;
        }
    }
    if (walk[at] != start + 1) continue;
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::reverse(path.begin(), path.end());
    std::rotate(
        path.begin(),
        std::min_element(path.begin(), path.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return trace_.nodes[a].id < trace_.nodes[b].id; }),
        path.end());
    all.push_back(path);
  }
  return all;
}

std::vector<std::uint32_t> DependencyGraph::communication() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < trace_.nodes.size(); ++i)
    if (trace_.nodes[i].is_comm() && round_[i] != never) all.push_back(i);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(round_[a], trace_.nodes[a].id) < std::pair(round_[b], trace_.nodes[b].id);
  };
  if (!std::is_sorted(all.begin(), all.end(), before)) std::stable_sort(all.begin(), all.end(), before);
  return all;
}

bool DependencyGraph::depends(std::uint32_t to, std::uint32_t from) const {
  std::vector<bool> seen(trace_.nodes.size());
  std::vector<std::uint32_t> open{to};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (const std::uint32_t p : trace_.parents(trace_.nodes[at])) {
      if (p == from) return true;
      if (!seen[p]) seen[p] = true, open.push_back(p);
    }
  }
  return false;
}

void check_cycles(const Trace& trace, const DependencyGraph& graph, CheckLog& log) {
  for (const auto& cycle : graph.cycles(100)) {
    if (cycle.size() == 1) continue;  // a self dependency, which has its own rule
    std::string text;
    for (std::size_t i = 0; i < cycle.size() && i < 20; ++i) text += fmt::format("{} -> ", trace.nodes[cycle[i]].id);
    if (cycle.size() > 20) text += "... -> ";
    log.node(true, "cycle", trace, trace.nodes[cycle.front()], [&] {
      return fmt::format("the dependencies go in a circle of {} nodes: {}{}", cycle.size(), text,
                         trace.nodes[cycle.front()].id);
    });
  }
}

}  // namespace tutti::workload
