#include "fabric/sip_topology.h"

namespace tutti::fabric::topologies {

SipTopology fully_connected() {
  return {"fully_connected", "a link between every two SIPs", false,
          [](const SipGrid& g) {
            std::vector<std::pair<int, int>> edges;
            for (int a = 0; a < g.count; ++a)
              for (int b = a + 1; b < g.count; ++b) edges.emplace_back(a, b);
            return edges;
          },
          [](const SipGrid&, int, int to) { return to; }};
}

}  // namespace tutti::fabric::topologies
