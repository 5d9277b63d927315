#pragma once
#include <vector>

#include "fabric/graph.h"

namespace tutti::fabric {

/// Latency (overheads and wires, without that of the source) from `source` to every node; Time::max() where there is no
/// way.
std::vector<Time> latencies_from(const Graph& graph, NodeId source);

/// Links into `node` that lie on a route of least latency from the source of `latencies`, in order of link number.
std::vector<LinkId> last_links(const Graph& graph, const std::vector<Time>& latencies, NodeId node);

/// @throws ConfigError  names both ends.
[[noreturn]] void no_route(const Graph& graph, NodeId source, NodeId destination);

}  // namespace tutti::fabric
