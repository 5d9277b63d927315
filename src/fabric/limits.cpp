#include "fabric/limits.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "base/error.h"
#include "fabric/layout.h"
#include "fabric/max_flow.h"
#include "fabric/shortest_paths.h"

namespace tutti::fabric {
namespace {

constexpr std::uint32_t no_rank = UINT32_MAX;

/// Searches from each rank until it meets another, and no farther than the best found so far.
class Nearest {
 public:
  Nearest(const Graph& graph, const std::vector<NodeId>& nodes)
      : graph_(graph),
        is_rank_(graph.nodes().size()),
        best_(graph.nodes().size()),
        seen_(graph.nodes().size(), no_rank) {
    for (const NodeId n : nodes) is_rank_[n] = true;
  }

  /// @param cost  of a link with the node that it leads to.
  Time search(const std::vector<NodeId>& nodes, const std::function<Time(const Link&)>& cost) {
    Time nearest = Time::max();
    std::fill(seen_.begin(), seen_.end(), no_rank);
    for (std::uint32_t r = 0; r < nodes.size(); ++r) nearest = std::min(nearest, from(r, nodes[r], nearest, cost));
    return nearest;
  }

 private:
  Time from(std::uint32_t rank, NodeId source, Time limit, const std::function<Time(const Link&)>& cost) {
    using Item = std::tuple<Time, NodeId>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    best_[source] = Time();
    seen_[source] = rank;
    open.push({Time(), source});
    while (!open.empty()) {
      const auto [time, at] = open.top();
      open.pop();
      if (time >= limit) break;
      if (time != best_[at]) continue;
      if (at != source && is_rank_[at]) return time;
      for (const LinkId l : graph_.outgoing(at)) {
        const Link& link = graph_.links()[l];
        const Time next = time + cost(link);
        if (next >= limit || (seen_[link.destination] == rank && next >= best_[link.destination])) continue;
        seen_[link.destination] = rank;
        best_[link.destination] = next;
        open.push({next, link.destination});
      }
    }
    return limit;
  }

  const Graph& graph_;
  std::vector<bool> is_rank_;
  std::vector<Time> best_;
  std::vector<std::uint32_t> seen_;  ///< rank that best_ is of
};

/// The farthest rank from one: its latency (without the overhead of the source) and its index.
std::pair<Time, std::size_t> farthest_from(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t rank) {
  const std::vector<Time> latencies = latencies_from(graph, nodes[rank]);
  std::pair<Time, std::size_t> far{Time(), rank};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (latencies[nodes[i]] == Time::max()) no_route(graph, nodes[rank], nodes[i]);
    if (latencies[nodes[i]] > far.first) far = {latencies[nodes[i]], i};
  }
  return far;
}

/// All pairs of up to 32 ranks; of more, two sweeps: from rank 0 to the farthest, and from there.
Time farthest(const Graph& graph, const std::vector<NodeId>& nodes) {
  Time most;
  std::size_t rank = 0;
  const std::size_t sweeps = nodes.size() <= 32 ? nodes.size() : 3;
  for (std::size_t i = 0; i < sweeps; ++i) {
    if (nodes.size() <= 32) rank = i;
    const auto [time, at] = farthest_from(graph, nodes, rank);
    most = std::max(most, time + graph.nodes()[nodes[rank]].overhead);
    rank = at;
  }
  return most;
}

class Cuts {
 public:
  Cuts(const Graph& graph, const std::vector<NodeId>& nodes) : graph_(graph), nodes_(nodes), flow_(graph) {}

  std::vector<plan::Cut> all() {
    const Layout* const l = graph_.layout();
    if (!l) {
      add("the lower half", [this](std::size_t rank) { return rank < nodes_.size() / 2; });
      return std::move(cuts_);
    }
    const auto place = [this, l](std::size_t rank) -> const Layout::Place& { return l->places[nodes_[rank]]; };
    for (int s = 0; s < l->sips; ++s) {
      const std::string sip = "sip" + std::to_string(s);
      for (int c = 0; c < l->cubes_of_sip(); ++c)
        add(sip + ".cube" + std::to_string(c),
            [&](std::size_t rank) { return place(rank).sip == s && place(rank).cube == c; });
      for (int row = 1; row < l->cube_rows; ++row)
        add(sip + " rows below " + std::to_string(row),
            [&](std::size_t rank) { return place(rank).sip == s && place(rank).cube / l->cube_columns < row; });
      for (int column = 1; column < l->cube_columns; ++column)
        add(sip + " columns below " + std::to_string(column),
            [&](std::size_t rank) { return place(rank).sip == s && place(rank).cube % l->cube_columns < column; });
      add(sip, [&](std::size_t rank) { return place(rank).sip == s; });
    }
    for (int s = 2; s <= l->sips / 2; ++s)
      add("sips below " + std::to_string(s), [&](std::size_t rank) { return place(rank).sip < s; });
    return std::move(cuts_);
  }

 private:
  void add(const std::string& name, const std::function<bool(std::size_t)>& inside) {
    plan::Cut cut;
    std::vector<NodeId> in, out;
    for (std::size_t r = 0; r < nodes_.size(); ++r) {
      const bool within = inside(r);
      if (within) cut.inside.push_back(static_cast<int>(r));
      (within ? in : out).push_back(nodes_[r]);
    }
    if (in.empty() || out.empty()) return;
    cut.name = name;
    cut.out = flow_.between(in, out);
    cut.in = flow_.between(out, in);
    cuts_.push_back(std::move(cut));
  }

  const Graph& graph_;
  const std::vector<NodeId>& nodes_;
  MaxFlow flow_;
  std::vector<plan::Cut> cuts_;
};

/// Links that a route between ranks can use: an end that is a leaf and no rank leads nowhere.
Bandwidth usable(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<bool> rank(graph.nodes().size());
  for (const NodeId n : nodes) rank[n] = true;
  const auto dead = [&](NodeId n) { return !rank[n] && graph.outgoing(n).size() <= 1; };
  std::int64_t bits = 0;
  for (const Link& l : graph.links())
    if (!dead(l.source) && !dead(l.destination)) bits += l.bandwidth.bits_per_second();
  return Bandwidth::bits_per_second(bits);
}

}  // namespace

plan::GraphLimits graph_limits(const Graph& graph, const std::vector<NodeId>& nodes) {
  plan::GraphLimits limits;
  limits.ranks = static_cast<int>(nodes.size());
  const auto sum = [&graph](const std::vector<LinkId>& links) {
    std::int64_t bits = 0;
    for (const LinkId l : links) bits += graph.links()[l].bandwidth.bits_per_second();
    return Bandwidth::bits_per_second(bits);
  };
  for (const NodeId n : nodes) {
    limits.out.push_back(sum(graph.outgoing(n)));
    limits.in.push_back(sum(graph.incoming(n)));
  }
  if (nodes.size() < 2) return limits;
  limits.farthest = farthest(graph, nodes);
  Nearest nearest(graph, nodes);
  Time least_overhead = Time::max();
  for (const NodeId n : nodes) least_overhead = std::min(least_overhead, graph.nodes()[n].overhead);
  limits.cheapest = least_overhead + nearest.search(nodes, [&graph](const Link& l) {
    return l.latency + graph.nodes()[l.destination].overhead;
  });
  limits.fewest_links = static_cast<int>(nearest.search(nodes, [](const Link&) { return Time::ps(1); }).ps());
  limits.cuts = Cuts(graph, nodes).all();
  limits.all_links = usable(graph, nodes);
  return limits;
}

}  // namespace tutti::fabric
