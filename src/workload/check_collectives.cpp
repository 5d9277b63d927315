#include "workload/check_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tutti::workload {
namespace {

/// What has to be the same on every rank of a group.
struct What {
  CollectiveKind kind;
  std::int64_t bytes;
  bool dimensions;
  std::uint32_t mask;
  bool operator==(const What&) const = default;
  std::string text() const { return fmt::format("{} of {} bytes", to_string(kind), bytes); }
};

What what(const Trace& trace, std::uint32_t node, bool whole) {
  const Node& n = trace.nodes[node];
  const bool listed = whole && n.has(Attribute::involved_dim);
  return {n.collective, n.comm_size, listed, listed ? n.dim_mask : 0};
}

std::string ordinal(std::size_t k) { return fmt::format("collective number {}", k + 1); }

class Check {
 public:
  Check(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs, CheckLog& log)
      : traces_(traces), graphs_(graphs), log_(log) {}

  void group(const CollectiveCalls::Group& g) {
    const std::size_t model = usual(g);
    for (std::size_t m = 0; m < g.members.size(); ++m)
      if (m != model) compare(g, m, model);
  }

 private:
  std::string title(const CollectiveCalls::Group& g) const {
    return g.group->name.empty() ? "all ranks" : fmt::format("group '{}'", g.group->name);
  }

  /// The member whose list of collectives most members have; of equals the one with the lowest rank.
  std::size_t usual(const CollectiveCalls::Group& g) const {
    std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> votes;  // hash -> count, first member
    for (std::size_t m = 0; m < g.members.size(); ++m) {
      std::uint64_t h = 0x9E3779B97F4A7C15U;
      for (const std::uint32_t node : g.nodes[m]) {
        const What w = what(traces_[g.members[m]], node, g.group->id == 0);
        for (const std::uint64_t x : {static_cast<std::uint64_t>(w.kind), static_cast<std::uint64_t>(w.bytes),
                                      std::uint64_t{w.mask} << 1 | (w.dimensions ? 1U : 0U)}) {
          h = (h ^ x) * 0xBF58476D1CE4E5B9U;
          h ^= h >> 31;
        }
      }
      auto& v = votes.try_emplace(h, 0, m).first->second;
      ++v.first;
    }
    std::size_t best = 0, count = 0;
    for (const auto& [hash, v] : votes)
      if (v.first > count || (v.first == count && v.second < best)) std::tie(count, best) = v;
    return best;
  }

  void compare(const CollectiveCalls::Group& g, std::size_t m, std::size_t model) {
    const std::uint32_t rank = g.members[m], other = g.members[model];
    const Trace& mine = traces_[rank];
    const Trace& theirs = traces_[other];
    const auto& a = g.nodes[m];
    const auto& b = g.nodes[model];
    const std::size_t both = std::min(a.size(), b.size());
    for (std::size_t k = 0; k < both; ++k) {
      const What x = what(mine, a[k], g.group->id == 0), y = what(theirs, b[k], g.group->id == 0);
      if (x == y) continue;
      const bool forced = !reordered(g, m, model, k, y) || (fixed(rank, a, k, y, g) && fixed(other, b, k, x, g));
      log_.node(
          forced, "collective-mismatch", mine, mine.nodes[a[k]],
          [&] {
            return fmt::format("{} of {} is {} here, but {}{} at node {} '{}' of rank {}", ordinal(k), title(g),
                               x.text(), y.text(),
                               x.kind == y.kind && x.bytes == y.bytes ? " over other dimensions" : "",
                               theirs.nodes[b[k]].id, theirs.name(theirs.nodes[b[k]]), other);
          },
          forced ? "" : "no dependency fixes the order of these collectives: which comes first depends on timing");
      return;
    }
    if (a.size() > b.size())
      log_.node(true, "collective-mismatch", mine, mine.nodes[a[both]], [&] {
        return fmt::format("{} of {} has no counterpart: rank {} issues {}", ordinal(both), title(g), other, b.size());
      });
    if (a.size() < b.size() && a.empty())
      log_.file(true, "collective-mismatch", mine.file,
                fmt::format("rank {} issues no collective of {}; rank {} issues {}, the first at node {}", rank,
                            title(g), other, b.size(), theirs.nodes[b[0]].id));
    else if (a.size() < b.size())
      log_.node(true, "collective-mismatch", mine, mine.nodes[a.back()], [&] {
        return fmt::format(
            "this is the last collective of {} on this rank, number {}; rank {} goes on with {} at node "
            "{} '{}'",
            title(g), a.size(), other, what(theirs, b[both], g.group->id == 0).text(), theirs.nodes[b[both]].id,
            theirs.name(theirs.nodes[b[both]]));
      });
  }

  /// True if the member does what the model does at `k`, only later.
  bool reordered(const CollectiveCalls::Group& g, std::size_t m, std::size_t model, std::size_t k,
                 const What& wanted) const {
    (void)model;
    for (std::size_t i = k + 1; i < g.nodes[m].size(); ++i)
      if (what(traces_[g.members[m]], g.nodes[m][i], g.group->id == 0) == wanted) return true;
    return false;
  }

  /// True if this rank surely starts its k-th collective before the next one that is `wanted`: a dependency says so, or
  /// both become free together, and then the smaller id goes first.
  bool fixed(std::uint32_t rank, const std::vector<std::uint32_t>& nodes, std::size_t k, const What& wanted,
             const CollectiveCalls::Group& g) const {
    for (std::size_t i = k + 1; i < nodes.size(); ++i) {
      if (!(what(traces_[rank], nodes[i], g.group->id == 0) == wanted)) continue;
      const Trace& t = traces_[rank];
      const auto p = t.parents(t.nodes[nodes[k]]), q = t.parents(t.nodes[nodes[i]]);
      return std::is_permutation(p.begin(), p.end(), q.begin(), q.end()) || graphs_[rank].depends(nodes[i], nodes[k]);
    }
    return true;
  }

  const std::vector<Trace>& traces_;
  const std::deque<DependencyGraph>& graphs_;
  CheckLog& log_;
};

}  // namespace

std::size_t CollectiveCalls::Group::place(std::uint32_t rank) const {
  if (group->whole_machine) return rank;
  return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), rank) - members.begin());
}

CollectiveCalls::CollectiveCalls(const std::vector<Trace>& traces, const std::vector<std::vector<std::uint32_t>>& order,
                                 const CommGroups& groups) {
  std::size_t all = 0;
  for (const auto& one : order) first_of_.push_back(all), all += one.size();
  calls_.resize(all);
  std::map<std::uint32_t, std::uint32_t> dense;  // CommGroup::index -> groups_
  for (std::uint32_t r = 0; r < traces.size(); ++r) {
    const Trace& t = traces[r];
    std::vector<std::int64_t> of_text(t.groups.size(), -2);  // -2: not looked up, -1: not usable
    for (std::size_t i = 0; i < order[r].size(); ++i) {
      const Node& n = t.nodes[order[r][i]];
      if (n.type != NodeType::comm_coll || n.is_cpu_op) continue;
      std::int64_t& place = of_text[n.group];
      if (place == -2) {
        const CommGroup* const g = groups.find(t.group(n));
        place = -1;
        if (g && g->member(r)) {
          const auto [it, fresh] = dense.try_emplace(g->index, static_cast<std::uint32_t>(groups_.size()));
          if (fresh) {
            Group one;
            one.group = g;
            one.members = g->ranks;
            if (g->ranks.empty())
              for (std::uint32_t k = 0; k < traces.size(); ++k) one.members.push_back(k);
            std::sort(one.members.begin(), one.members.end());
            one.nodes.resize(one.members.size());
            groups_.push_back(std::move(one));
          }
          place = it->second;
        }
      }
      if (place < 0) continue;
      Group& group = groups_[static_cast<std::size_t>(place)];
      auto& nodes = group.nodes[group.place(r)];
      calls_[first_of_[r] + i] = {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(nodes.size())};
      nodes.push_back(order[r][i]);
    }
  }
}

void check_collectives(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs,
                       const CollectiveCalls& calls, CheckLog& log) {
  Check check(traces, graphs, log);
  for (const auto& g : calls.groups()) check.group(g);
}

}  // namespace tutti::workload
