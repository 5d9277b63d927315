#include <algorithm>

#include "fabric/route_policy.h"
#include "fabric/shortest_paths.h"

namespace tutti::fabric::routes {
namespace {

/// Finalizer of splitmix64.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

class Ecmp final : public RoutePolicy {
 public:
  Ecmp(const Graph& graph, std::uint64_t seed) : graph_(graph), seed_(seed), latencies_(graph.nodes().size()) {}

  Route route(NodeId from, NodeId to) override {
    std::vector<Time>& latencies = latencies_[from];
    if (latencies.empty()) latencies = latencies_from(graph_, from);
    if (latencies[to] == Time::max()) no_route(graph_, from, to);
    const std::uint64_t flow = mix(seed_ + 0x9e3779b97f4a7c15U + (std::uint64_t{from} << 32 | to));
    Route route;
    for (NodeId at = to; at != from; at = graph_.links()[route.back()].source) {
      const std::vector<LinkId> equal = last_links(graph_, latencies, at);
      route.push_back(equal[mix(flow + at) % equal.size()]);
    }
    std::reverse(route.begin(), route.end());
    return route;
  }

 private:
  const Graph& graph_;
  std::uint64_t seed_;
  std::vector<std::vector<Time>> latencies_;  ///< [source][node]; made at first use
};

}  // namespace

RoutePolicyKind ecmp() {
  return {"ecmp", "spreads pairs over the routes of least latency by a seeded hash",
          [](const Graph& g, std::uint64_t seed) -> std::unique_ptr<RoutePolicy> {
            return std::make_unique<Ecmp>(g, seed);
          }};
}

}  // namespace tutti::fabric::routes
