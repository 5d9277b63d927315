/// Two tiers: every leaf has a cable (or several) to every spine.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int leaves = read_count(keys, "leaves"), each = read_count(keys, "hosts_per_leaf"),
            spines = read_count(keys, "spines");
  const CableSpec down = read_cable(keys, "host_link"), up = read_cable(keys, "spine_link");
  TopologyBuilder b(keys);
  b.add_hosts(std::int64_t{leaves} * each);
  const int leaf = b.add_switches(leaves), spine = b.add_switches(spines);
  for (int l = 0; l < leaves && b.usable(); ++l) {
    b.connect_all(l * each, each, leaf + l, 1, down);
    b.connect_all(leaf + l, 1, spine, spines, up);
  }
  return b.take();
}

}  // namespace

TopologyKind leaf_spine_topology() { return {"leaf_spine", "leaves and spines, all to all", &make}; }

}  // namespace tutti::net::packet
