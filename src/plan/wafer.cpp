#include "plan/wafer.h"

#include <algorithm>
#include <cmath>

namespace tutti::plan {
namespace {

ReduceTree empty(int pes) {
  return {std::vector<int>(static_cast<std::size_t>(pes), -1),
          std::vector<std::vector<int>>(static_cast<std::size_t>(pes))};
}

void join(ReduceTree& t, int child, int parent) {
  t.parent[static_cast<std::size_t>(child)] = parent;
  t.children[static_cast<std::size_t>(parent)].push_back(child);
}

Slice chunk(std::int64_t count, std::int64_t chunks, std::int64_t i) {
  return slice(Buffer::output, part(count, chunks, i));
}

Generator<Step> up(std::shared_ptr<const ReduceTree> tree, std::int64_t count, std::int64_t chunks, int rank) {
  const auto at = static_cast<std::size_t>(rank);
  const bool more = tree->parent.size() > 1;
  for (std::int64_t i = 0; i < chunks; ++i) {
    for (int child : tree->children[at]) co_yield receive_reduce(child, chunk(count, chunks, i));
    if (tree->parent[at] >= 0)
      co_yield send(tree->parent[at], chunk(count, chunks, i));
    else if (more)
      co_yield send(1, chunk(count, chunks, i), 1);
  }
}

Generator<Step> down(int ranks, std::int64_t count, std::int64_t chunks, int rank) {
  for (std::int64_t i = 0; rank > 0 && i < chunks; ++i) {
    co_yield receive(rank - 1, chunk(count, chunks, i), 1);
    if (rank + 1 < ranks) co_yield send(rank + 1, chunk(count, chunks, i), 1);
  }
}

}  // namespace

ReduceTree wafer_star(int pes) {
  ReduceTree t = empty(pes);
  for (int i = 1; i < pes; ++i) join(t, i, 0);
  return t;
}

ReduceTree wafer_chain(int pes) {
  ReduceTree t = empty(pes);
  for (int i = 1; i < pes; ++i) join(t, i, i - 1);
  return t;
}

ReduceTree wafer_tree(int pes) {
  ReduceTree t = empty(pes);
  for (int bit = 1; bit < pes; bit *= 2)
    for (int i = 0; i + bit < pes; i += 2 * bit) join(t, i + bit, i);
  return t;
}

ReduceTree wafer_two_phase(int pes, int group) {
  if (group == 0) group = static_cast<int>(std::sqrt(static_cast<double>(pes)));
  ReduceTree t = empty(pes);
  for (int i = 1; i < pes; ++i)
    if (i % group != 0) join(t, i, i - 1);
  for (int i = group; i < pes; i += group) join(t, i, i - group);
  return t;
}

WaferShape shape(const ReduceTree& t) {
  WaferShape s;
  std::vector<std::int64_t> depth(t.parent.size(), 0);  // children have higher numbers than their parents
  for (std::size_t i = t.parent.size(); i-- > 0;) {
    const auto received = static_cast<std::int64_t>(t.children[i].size());
    s.contention = std::max({s.contention, received, std::int64_t{t.parent[i] >= 0}});
    s.depth = std::max(s.depth, depth[i]);
    if (t.parent[i] < 0) continue;
    const auto parent = static_cast<std::size_t>(t.parent[i]);
    s.energy += static_cast<std::int64_t>(i - parent);
    depth[parent] = std::max(depth[parent], depth[i] + 1);
  }
  return s;
}

double wafer_cycles(const WaferShape& s, int pes, std::int64_t words, int ramp) {
  if (pes == 1) return 0;
  const auto b = static_cast<double>(words);
  const double links = pes - 1;
  return std::max(b * static_cast<double>(s.contention), b * static_cast<double>(s.energy) / links + links) +
         (2 * ramp + 1) * static_cast<double>(s.depth);
}

double wafer_broadcast_cycles(int pes, std::int64_t words, int ramp) {
  return static_cast<double>(words) + pes - 1 + 2 * ramp + 1;
}

double wafer_ring_cycles(int pes, std::int64_t words, int ramp) {
  return 2.0 * (pes - 1) * static_cast<double>(words) / pes + 4 * pes - 6 + 2 * (pes - 1) * (2 * ramp + 1);
}

Schedule wafer_schedule(const Collective& c, std::int64_t chunks, std::shared_ptr<const ReduceTree> tree) {
  Schedule s;
  s.streams = 2;
  s.steps = [tree, ranks = c.ranks, count = c.count, chunks](int rank, int stream) {
    return stream == 0 ? up(tree, count, chunks, rank) : down(ranks, count, chunks, rank);
  };
  return s;
}

}  // namespace tutti::plan
