/// Several leaf-spine networks side by side that meet in the hosts: each host has a port in every plane.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int planes = read_count(keys, "planes"), leaves = read_count(keys, "leaves"),
            each = read_count(keys, "hosts_per_leaf"), spines = read_count(keys, "spines", 0);
  const CableSpec down = read_cable(keys, "host_link");
  const CableSpec up = spines > 0 ? read_cable(keys, "spine_link") : CableSpec{};
  if (spines == 0 && leaves > 1) keys.at("spines").fault("one or more are needed if there are several leaves");
  TopologyBuilder b(keys);
  b.add_hosts(std::int64_t{leaves} * each);
  for (int p = 0; p < planes && b.usable(); ++p) {
    const int leaf = b.add_switches(leaves), spine = b.add_switches(spines);
    for (int l = 0; l < leaves && b.usable(); ++l) {
      b.connect_all(l * each, each, leaf + l, 1, down);
      b.connect_all(leaf + l, 1, spine, spines, up);
    }
  }
  return b.take();
}

}  // namespace

TopologyKind multi_plane_topology() { return {"multi_plane", "leaf-spine networks side by side", &make}; }

}  // namespace tutti::net::packet
