#include "fabric/shortest_paths.h"

#include <functional>
#include <queue>
#include <tuple>

#include "base/error.h"

namespace tutti::fabric {

std::vector<Time> latencies_from(const Graph& graph, NodeId source) {
  std::vector<Time> best(graph.nodes().size(), Time::max());
  using Item = std::tuple<Time, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  best[source] = Time();
  open.push({Time(), source});
  while (!open.empty()) {
    const auto [time, at] = open.top();
    open.pop();
    if (time != best[at]) continue;
    for (const LinkId l : graph.outgoing(at)) {
      const Link& link = graph.links()[l];
      const Time next = time + link.latency + graph.nodes()[link.destination].overhead;
      if (next >= best[link.destination]) continue;
      best[link.destination] = next;
      open.push({next, link.destination});
    }
  }
  return best;
}

std::vector<LinkId> last_links(const Graph& graph, const std::vector<Time>& latencies, NodeId node) {
  std::vector<LinkId> result;
  for (const LinkId l : graph.incoming(node)) {
    const Link& link = graph.links()[l];
    const Time before = latencies[link.source];
    if (before != Time::max() && before + link.latency + graph.nodes()[node].overhead == latencies[node])
      result.push_back(l);
  }
  return result;
}

void no_route(const Graph& graph, NodeId source, NodeId destination) {
  throw ConfigError("topology: no route from " + graph.nodes()[source].path + " to " + graph.nodes()[destination].path);
}

}  // namespace tutti::fabric
