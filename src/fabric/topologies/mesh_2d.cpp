#include "fabric/sip_topology.h"
#include "fabric/topologies/steps.h"

namespace tutti::fabric::topologies {

SipTopology mesh_2d() {
  return {"mesh_2d", "rows and columns of SIPs without wrap; columns first", true,
          [](const SipGrid& g) { return grid_edges(g.rows, g.columns, false); },
          [](const SipGrid& g, int from, int to) { return grid_step(from, to, g.rows, g.columns, false); }};
}

}  // namespace tutti::fabric::topologies
