#include "fabric/sip_topology.h"

namespace tutti::fabric {
namespace topologies {
#define TUTTI_BUILTIN(name) SipTopology name();
#include "fabric/topologies/builtin.def"
#undef TUTTI_BUILTIN
}  // namespace topologies

const Registry<SipTopology>& sip_topologies() {
  static const Registry<SipTopology> all("topology", {
#define TUTTI_BUILTIN(name) topologies::name(),
#include "fabric/topologies/builtin.def"
#undef TUTTI_BUILTIN
                                                     });
  return all;
}

}  // namespace tutti::fabric
