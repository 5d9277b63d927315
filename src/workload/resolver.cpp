#include "workload/resolver.h"

#include <algorithm>

namespace tutti::workload {
namespace {

/// Distinct parents of node i, in `out`.
void parents_of(const Trace& trace, std::uint32_t i, std::vector<std::uint32_t>& out) {
  const auto all = trace.parents(trace.nodes[i]);
  out.assign(all.begin(), all.end());
  if (out.size() < 2) return;
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace

Resolver::Resolver(const Trace& trace)
    : trace_(trace), first_child_(trace.nodes.size() + 1), missing_(trace.nodes.size()) {
  const auto n = static_cast<std::uint32_t>(trace.nodes.size());
  std::vector<std::uint32_t> parents;
  for (std::uint32_t i = 0; i < n; ++i) {
    parents_of(trace, i, parents);
    missing_[i] = static_cast<std::uint32_t>(parents.size());
    for (const std::uint32_t p : parents) ++first_child_[p + 1];
  }
  for (std::uint32_t i = 0; i < n; ++i) first_child_[i + 1] += first_child_[i];
  children_.resize(first_child_[n]);
  std::vector<std::uint32_t> at(first_child_.begin(), first_child_.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    parents_of(trace, i, parents);
    for (const std::uint32_t p : parents) children_[at[p]++] = i;
  }
}

std::vector<std::uint32_t> Resolver::roots() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < missing_.size(); ++i)
    if (missing_[i] == 0) all.push_back(i);
  std::sort(all.begin(), all.end(), [&](auto a, auto b) { return trace_.nodes[a].id < trace_.nodes[b].id; });
  return all;
}

void Resolver::finish(std::uint32_t node, std::vector<std::uint32_t>& freed) {
  ++finished_;
  for (std::uint32_t i = first_child_[node]; i < first_child_[node + 1]; ++i)
    if (--missing_[children_[i]] == 0) freed.push_back(children_[i]);
}

std::vector<std::uint32_t> Resolver::cycle() const {
  std::vector<std::uint32_t> missing = missing_, ready = roots();
  std::size_t done = 0;
  for (; done < ready.size(); ++done)
    for (std::uint32_t i = first_child_[ready[done]]; i < first_child_[ready[done] + 1]; ++i)
      if (--missing[children_[i]] == 0) ready.push_back(children_[i]);
  if (done == missing.size()) return {};
  // Every node that is left has a parent that is left: walking up must come round.
  std::uint32_t at = 0;
  while (missing[at] == 0) ++at;
  std::vector<std::uint32_t> path;
  std::vector<std::uint32_t> place(missing.size(), UINT32_MAX);
  while (place[at] == UINT32_MAX) {
    place[at] = static_cast<std::uint32_t>(path.size());
    path.push_back(at);
    for (const std::uint32_t p : trace_.parents(trace_.nodes[at]))
      if (missing[p] != 0) {
        at = p;
        break;
      }
  }
  path.erase(path.begin(), path.begin() + place[at]);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace tutti::workload
