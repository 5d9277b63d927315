/// The fat-tree of M. Al-Fares, A. Loukissas, A. Vahdat, "A Scalable, Commodity Data Center Network Architecture",
/// SIGCOMM 2008: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches, k^3/4 hosts.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int k = static_cast<int>(keys.integer("k", {}, {.low = 2, .high = 128}));
  if (k % 2 != 0) keys.at("k").fault("an even number is needed");
  const CableSpec host = read_cable(keys, "host_link");
  const CableSpec pod_link = keys.has("pod_link") ? read_cable(keys, "pod_link") : host;
  const CableSpec core_link = keys.has("core_link") ? read_cable(keys, "core_link") : pod_link;
  TopologyBuilder b(keys);
  const int half = k / 2;
  b.add_hosts(std::int64_t{k} * half * half);
  const int edge = b.add_switches(k * half), aggregation = b.add_switches(k * half), core = b.add_switches(half * half);
  for (int pod = 0; pod < k && b.usable(); ++pod)
    for (int i = 0; i < half; ++i) {
      const int s = pod * half + i;
      b.connect_all(s * half, half, edge + s, 1, host);
      b.connect_all(edge + s, 1, aggregation + pod * half, half, pod_link);
      b.connect_all(aggregation + s, 1, core + i * half, half, core_link);
    }
  return b.take();
}

}  // namespace

TopologyKind fat_tree_topology() { return {"fat_tree", "k pods under (k/2)^2 core switches", &make}; }

}  // namespace tutti::net::packet
