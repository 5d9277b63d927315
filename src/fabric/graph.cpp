#include "fabric/graph.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace tutti::fabric {

NodeId Graph::add_node(std::string path, std::string kind, Time overhead) {
  const auto id = static_cast<NodeId>(nodes_.size());
  if (!by_path_.emplace(path, id).second) throw ConfigError("topology: node '" + path + "' stands twice");
  nodes_.push_back({std::move(path), std::move(kind), overhead});
  outgoing_.emplace_back();
  return id;
}

void Graph::connect(NodeId a, NodeId b, const std::string& kind, Bandwidth bandwidth, double distance_mm,
                    double ns_per_mm) {
  if (bandwidth <= Bandwidth() || distance_mm < 0)
    throw ConfigError("topology: link " + nodes_[a].path + " - " + nodes_[b].path +
                      " needs a bandwidth and a distance of at least 0");
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    outgoing_[from].push_back(static_cast<LinkId>(links_.size()));
    links_.push_back({from, to, kind, bandwidth, distance_mm, Time::from_ns(distance_mm * ns_per_mm)});
  }
}

NodeId Graph::node(const std::string& path) const {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) throw ConfigError("topology: no node '" + path + "'");
  return found->second;
}

Route shortest_route(const Graph& graph, NodeId source, NodeId destination) {
  if (source == destination) return {};
  std::vector<Time> best(graph.nodes().size(), Time::max());
  std::vector<LinkId> via(graph.nodes().size());
  using Item = std::tuple<Time, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  best[source] = Time();
  open.push({Time(), source});
  while (!open.empty()) {
    const auto [time, at] = open.top();
    open.pop();
    if (time != best[at]) continue;
    if (at == destination) break;
    for (const LinkId l : graph.outgoing(at)) {
      const Link& link = graph.links()[l];
      const Time next = time + link.latency + graph.nodes()[link.destination].overhead;
      if (next >= best[link.destination]) continue;
      best[link.destination] = next;
      via[link.destination] = l;
      open.push({next, link.destination});
    }
  }
  if (best[destination] == Time::max())
    throw ConfigError("topology: no route from " + graph.nodes()[source].path + " to " +
                      graph.nodes()[destination].path);
  Route route;
  for (NodeId at = destination; at != source; at = graph.links()[via[at]].source) route.push_back(via[at]);
  std::reverse(route.begin(), route.end());
  return route;
}

Time head_latency(const Graph& graph, NodeId source, const Route& route) {
  Time sum = graph.nodes()[source].overhead;
  for (const LinkId l : route) sum += graph.links()[l].latency + graph.nodes()[graph.links()[l].destination].overhead;
  return sum;
}

Bandwidth bottleneck(const Graph& graph, const Route& route) {
  CHECK(!route.empty(), "a route within one node has no bottleneck");
  Bandwidth narrowest = graph.links()[route.front()].bandwidth;
  for (const LinkId l : route) narrowest = std::min(narrowest, graph.links()[l].bandwidth);
  return narrowest;
}

Time path_latency(const Graph& graph, NodeId source, const Route& route, Bytes size) {
  const Time head = head_latency(graph, source, route);
  return route.empty() ? head : head + serialization_time(size, bottleneck(graph, route));
}

}  // namespace tutti::fabric
