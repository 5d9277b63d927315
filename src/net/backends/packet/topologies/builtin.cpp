#include "net/backends/packet/generator.h"

namespace tutti::net::packet {

#define TUTTI_BUILTIN(name) TopologyKind name##_topology();
#include "net/backends/packet/topologies/builtin.def"
#undef TUTTI_BUILTIN

const Registry<TopologyKind>& topologies() {
  static const Registry<TopologyKind> all("topology", {
#define TUTTI_BUILTIN(name) name##_topology(),
#include "net/backends/packet/topologies/builtin.def"
#undef TUTTI_BUILTIN
                                                      });
  return all;
}

}  // namespace tutti::net::packet
