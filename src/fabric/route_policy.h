#pragma once
#include <cstdint>
#include <memory>

#include "base/registry.h"
#include "fabric/graph.h"

namespace tutti::fabric {

/// Finds the route of a pair of nodes: always the same for a pair, so that packets of one channel stay in order.
class RoutePolicy {
 public:
  virtual ~RoutePolicy() = default;
  /// Empty if the ends are one node. @throws ConfigError  no route: names both ends.
  virtual Route route(NodeId from, NodeId to) = 0;
};

/// A plug-in: one file in fabric/routes.
struct RoutePolicyKind {
  const char* name;
  const char* summary;
  /// Keeps a reference to the graph. @throws ConfigError  the policy cannot work on it.
  std::unique_ptr<RoutePolicy> (*make)(const Graph& graph, std::uint64_t seed);
};

const Registry<RoutePolicyKind>& route_policies();

/// By name; "auto" is dimension_order on a machine and table on a graph without a layout.
std::unique_ptr<RoutePolicy> make_route_policy(const std::string& name, const Graph& graph, std::uint64_t seed);

}  // namespace tutti::fabric
