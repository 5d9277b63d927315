#pragma once
#include <vector>

#include "fabric/graph.h"
#include "plan/graph_limits.h"

namespace tutti::fabric {

/// What the graph allows between ranks that stand at `nodes` (pe_dma of each): distances by least latency whatever the
/// routing, and cuts by max-flow. Cuts: every cube and SIP that holds some but not all ranks, and the lines that divide
/// the cubes of a SIP by row or column, or the SIPs in two; of a graph without a layout the half of lower ranks.
/// @throws ConfigError  some rank cannot reach another.
plan::GraphLimits graph_limits(const Graph& graph, const std::vector<NodeId>& nodes);

}  // namespace tutti::fabric
