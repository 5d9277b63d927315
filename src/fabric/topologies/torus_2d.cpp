#include "fabric/sip_topology.h"
#include "fabric/topologies/steps.h"

namespace tutti::fabric::topologies {

SipTopology torus_2d() {
  return {"torus_2d", "rows and columns of SIPs that wrap; columns first, the shorter way around", true,
          [](const SipGrid& g) { return grid_edges(g.rows, g.columns, true); },
          [](const SipGrid& g, int from, int to) { return grid_step(from, to, g.rows, g.columns, true); }};
}

}  // namespace tutti::fabric::topologies
