#include "plan/demand.h"

namespace tutti::plan {
namespace {

/// Elements of the whole that belong to ranks inside.
std::int64_t parts_inside(const Collective& c, const std::vector<bool>& inside) {
  std::int64_t sum = 0;
  for (int r = 0; r < c.ranks; ++r)
    if (inside[static_cast<std::size_t>(r)]) sum += part(c.count, c.ranks, r).count;
  return sum;
}

}  // namespace

Demand cut_demand(const Collective& c, const std::vector<bool>& inside) {
  std::int64_t members = 0;
  for (const bool b : inside) members += b;
  if (members == 0 || members == c.ranks) return {};
  const bool root = inside[static_cast<std::size_t>(c.root)];
  const auto one_way = [](bool out, std::int64_t elements) { return out ? Demand{elements, 0} : Demand{0, elements}; };
  switch (c.kind) {
    case CollectiveKind::all_reduce:
      return {c.count, c.count};
    case CollectiveKind::reduce:
      return one_way(!root, c.count);
    case CollectiveKind::broadcast:
      return one_way(root, c.count);
    case CollectiveKind::all_gather: {
      const std::int64_t mine = parts_inside(c, inside);
      return {mine, c.count - mine};
    }
    case CollectiveKind::reduce_scatter: {
      const std::int64_t mine = parts_inside(c, inside);
      return {c.count - mine, mine};
    }
    case CollectiveKind::gather: {
      const std::int64_t mine = parts_inside(c, inside);
      return one_way(!root, root ? c.count - mine : mine);
    }
    case CollectiveKind::scatter: {
      const std::int64_t mine = parts_inside(c, inside);
      return one_way(root, root ? c.count - mine : mine);
    }
    case CollectiveKind::all_to_all: {
      const std::int64_t mine = parts_inside(c, inside);
      return {members * (c.count - mine), (c.ranks - members) * mine};
    }
    case CollectiveKind::all_to_all_v: {
      Demand d;
      for (int s = 0; s < c.ranks; ++s)
        for (int t = 0; t < c.ranks; ++t) {
          const bool from = inside[static_cast<std::size_t>(s)], to = inside[static_cast<std::size_t>(t)];
          if (from && !to) d.out += c.pair_count(s, t);
          if (!from && to) d.in += c.pair_count(s, t);
        }
      return d;
    }
    case CollectiveKind::all_to_next: {
      Demand d;
      for (int r = 0; r + 1 < c.ranks; ++r) {
        const bool from = inside[static_cast<std::size_t>(r)], to = inside[static_cast<std::size_t>(r) + 1];
        if (from && !to) d.out += c.count;
        if (!from && to) d.in += c.count;
      }
      return d;
    }
    case CollectiveKind::barrier:
    case CollectiveKind::moe_dispatch:
    case CollectiveKind::moe_combine:
      return {};
  }
  return {};
}

std::int64_t total_demand(const Collective& c) {
  const std::int64_t others = c.ranks - 1;
  switch (c.kind) {
    case CollectiveKind::all_reduce:
      return 2 * others * c.count;
    case CollectiveKind::reduce:
    case CollectiveKind::broadcast:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::all_to_next:
      return others * c.count;
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return c.count - part(c.count, c.ranks, c.root).count;
    case CollectiveKind::all_to_all_v:
    case CollectiveKind::moe_dispatch: {
      std::int64_t sum = 0;
      for (int s = 0; s < c.ranks; ++s)
        for (int t = 0; t < c.ranks; ++t)
          if (s != t) sum += c.pair_count(s, t);
      return sum;
    }
    case CollectiveKind::barrier:
    case CollectiveKind::moe_combine:
      return 0;
  }
  return 0;
}

}  // namespace tutti::plan
