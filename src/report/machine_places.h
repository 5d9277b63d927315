#pragma once
#include <vector>

#include "fabric/graph.h"
#include "report/record.h"

namespace tutti::report {

/// Where each node that a used link touches is drawn: SIPs beside each other, in each its cubes as a mesh, in each cube
/// its routers as a mesh with PEs and ports around them. One unit is the distance between two routers.
std::vector<PlaceRow> machine_places(const fabric::Graph& graph, const std::vector<LinkRow>& links);

}  // namespace tutti::report
