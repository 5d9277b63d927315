#include "fabric/sip_topology.h"
#include "fabric/topologies/steps.h"

namespace tutti::fabric::topologies {

SipTopology ring_1d() {
  return {"ring_1d", "each SIP to the next and the last to the first; the shorter way around", false,
          [](const SipGrid& g) {
            std::vector<std::pair<int, int>> edges;
            for (int s = 0; s + 1 < g.count; ++s) edges.emplace_back(s, s + 1);
            if (g.count > 2) edges.emplace_back(0, g.count - 1);
            return edges;
          },
          [](const SipGrid& g, int from, int to) { return step(from, to, g.count, true); }};
}

}  // namespace tutti::fabric::topologies
