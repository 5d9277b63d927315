/// J. Kim, W. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008: groups of
/// fully connected routers, one cable between any two groups. Minimal routes.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int routers = read_count(keys, "routers_per_group"), hosts = read_count(keys, "hosts_per_router"),
            global = read_count(keys, "global_links_per_router");
  const std::int64_t most = std::int64_t{routers} * global + 1;
  const auto groups = static_cast<int>(keys.integer("groups", most, {.low = 1, .high = most}));
  const CableSpec host = read_cable(keys, "host_link");
  const CableSpec local = keys.has("local_link") ? read_cable(keys, "local_link") : host;
  const CableSpec far = keys.has("global_link") ? read_cable(keys, "global_link") : local;
  TopologyBuilder b(keys);
  b.add_hosts(std::int64_t{groups} * routers * hosts);
  const int first = b.add_switches(std::int64_t{groups} * routers);
  for (int g = 0; g < groups && b.usable(); ++g) {
    const int base = g * routers;
    for (int r = 0; r < routers && b.usable(); ++r) {
      b.connect_all((base + r) * hosts, hosts, first + base + r, 1, host);
      for (int other = r + 1; other < routers; ++other) b.connect(first + base + r, first + base + other, local);
    }
    // Global port j of a group leads to the j-th group after it, whose port to come back is groups - 2 - j.
    for (int j = 0; g + j + 1 < groups; ++j)
      b.connect(first + base + j / global, first + (g + j + 1) * routers + (groups - 2 - j) / global, far);
  }
  return b.take();
}

}  // namespace

TopologyKind dragonfly_topology() { return {"dragonfly", "groups of routers, a cable between any two groups", &make}; }

}  // namespace tutti::net::packet
