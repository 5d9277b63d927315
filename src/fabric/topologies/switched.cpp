#include "fabric/sip_topology.h"

namespace tutti::fabric::topologies {

SipTopology switched() {
  return {"switched", "one switch joins all SIPs", false,
          [](const SipGrid&) { return std::vector<std::pair<int, int>>(); },
          [](const SipGrid&, int, int to) { return to; }};
}

}  // namespace tutti::fabric::topologies
