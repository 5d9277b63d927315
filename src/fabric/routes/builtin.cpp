#include "fabric/route_policy.h"

namespace tutti::fabric {
namespace routes {
#define TUTTI_BUILTIN(name) RoutePolicyKind name();
#include "fabric/routes/builtin.def"
#undef TUTTI_BUILTIN
}  // namespace routes

const Registry<RoutePolicyKind>& route_policies() {
  static const Registry<RoutePolicyKind> all("routing", {
#define TUTTI_BUILTIN(name) routes::name(),
#include "fabric/routes/builtin.def"
#undef TUTTI_BUILTIN
                                                        });
  return all;
}

std::unique_ptr<RoutePolicy> make_route_policy(const std::string& name, const Graph& graph, std::uint64_t seed) {
  const std::string resolved = name != "auto" ? name : graph.layout() ? "dimension_order" : "table";
  return route_policies().at(resolved).make(graph, seed);
}

}  // namespace tutti::fabric
