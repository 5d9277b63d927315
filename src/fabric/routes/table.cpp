#include <algorithm>

#include "fabric/route_policy.h"
#include "fabric/shortest_paths.h"

namespace tutti::fabric::routes {
namespace {

class Table final : public RoutePolicy {
 public:
  explicit Table(const Graph& graph) : graph_(graph), trees_(graph.nodes().size()) {}

  Route route(NodeId from, NodeId to) override {
    std::vector<LinkId>& tree = trees_[from];
    if (tree.empty()) {
      const std::vector<Time> latencies = latencies_from(graph_, from);
      tree.assign(latencies.size(), no_id);
      for (NodeId n = 0; n < latencies.size(); ++n)
        if (n != from && latencies[n] != Time::max()) tree[n] = last_links(graph_, latencies, n).front();
    }
    Route route;
    for (NodeId at = to; at != from; at = graph_.links()[route.back()].source) {
      if (tree[at] == no_id) no_route(graph_, from, to);
      route.push_back(tree[at]);
    }
    std::reverse(route.begin(), route.end());
    return route;
  }

 private:
  const Graph& graph_;
  std::vector<std::vector<LinkId>> trees_;  ///< [source][node]: last link of the route there; made at first use
};

}  // namespace

RoutePolicyKind table() {
  return {"table", "least latency; the lowest link number where several are equal",
          [](const Graph& g, std::uint64_t) -> std::unique_ptr<RoutePolicy> { return std::make_unique<Table>(g); }};
}

}  // namespace tutti::fabric::routes
