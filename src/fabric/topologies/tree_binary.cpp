#include "fabric/sip_topology.h"

namespace tutti::fabric::topologies {

SipTopology tree_binary() {
  return {"tree_binary", "SIP s below SIP (s - 1) / 2; through the nearest common ancestor", false,
          [](const SipGrid& g) {
            std::vector<std::pair<int, int>> edges;
            for (int s = 1; s < g.count; ++s) edges.emplace_back((s - 1) / 2, s);
            return edges;
          },
          [](const SipGrid&, int from, int to) {
            // Climb from `to`: if the climb meets `from`, the step is down to the last SIP below it.
            for (int at = to; at > from; at = (at - 1) / 2)
              if ((at - 1) / 2 == from) return at;
            return (from - 1) / 2;
          }};
}

}  // namespace tutti::fabric::topologies
