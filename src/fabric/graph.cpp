#include "fabric/graph.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "fabric/shortest_paths.h"

namespace tutti::fabric {

NodeId Graph::add_node(std::string path, std::string kind, Time overhead) {
  const auto id = static_cast<NodeId>(nodes_.size());
  if (!by_path_.emplace(path, id).second) throw ConfigError("topology: node '" + path + "' stands twice");
  nodes_.push_back({std::move(path), std::move(kind), overhead});
  outgoing_.emplace_back();
  incoming_.emplace_back();
  return id;
}

LinkId Graph::add_link(NodeId from, NodeId to, const std::string& kind, Bandwidth bandwidth, double distance_mm,
                       double ns_per_mm) {
  if (bandwidth <= Bandwidth() || !(distance_mm >= 0) || !(ns_per_mm >= 0))
    throw ConfigError("topology: link " + nodes_[from].path + " - " + nodes_[to].path +
                      " needs a bandwidth and a distance of at least 0");
  const auto id = static_cast<LinkId>(links_.size());
  outgoing_[from].push_back(id);
  incoming_[to].push_back(id);
  links_.push_back({from, to, kind, bandwidth, distance_mm, Time::from_ns(distance_mm * ns_per_mm)});
  return id;
}

void Graph::connect(NodeId a, NodeId b, const std::string& kind, Bandwidth bandwidth, double distance_mm,
                    double ns_per_mm) {
  add_link(a, b, kind, bandwidth, distance_mm, ns_per_mm);
  add_link(b, a, kind, bandwidth, distance_mm, ns_per_mm);
}

LinkId Graph::link(NodeId from, NodeId to) const {
  for (const LinkId l : outgoing_[from])
    if (links_[l].destination == to) return l;
  return no_id;
}

std::string Graph::name(LinkId link) const {
  return nodes_[links_[link].source].path + " -> " + nodes_[links_[link].destination].path;
}

NodeId Graph::node(const std::string& path) const {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) throw ConfigError("topology: no node '" + path + "'");
  return found->second;
}

Route shortest_route(const Graph& graph, NodeId source, NodeId destination) {
  const std::vector<Time> latencies = latencies_from(graph, source);
  if (latencies[destination] == Time::max()) no_route(graph, source, destination);
  Route route;
  for (NodeId at = destination; at != source; at = graph.links()[route.back()].source)
    route.push_back(last_links(graph, latencies, at).front());
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
