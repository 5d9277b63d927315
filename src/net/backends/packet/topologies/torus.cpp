/// Switches on a grid whose rows close into rings; a row of two has one cable.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const std::vector<std::int64_t> sizes = keys.integers("sizes", {}, {.low = 1, .high = 1 << 20});
  const int hosts = static_cast<int>(keys.integer("hosts_per_switch", 1, {.low = 1, .high = 1024}));
  const CableSpec host = read_cable(keys, "host_link"), link = read_cable(keys, "switch_link");
  std::int64_t switches = 1;
  for (const std::int64_t s : sizes)
    if (switches <= 1 << 20) switches *= s;
  if (sizes.empty()) keys.at("sizes").fault("one number or more is needed");
  TopologyBuilder b(keys);
  b.add_hosts(switches * hosts);
  const int first = b.add_switches(switches);
  for (int n = 0; n < switches && b.usable(); ++n) {
    b.connect_all(n * hosts, hosts, first + n, 1, host);
    std::int64_t stride = 1;
    for (const std::int64_t size : sizes) {
      const std::int64_t at = n / stride % size;
      if (size > 2 || (size == 2 && at == 0)) {
        const std::int64_t next = n + ((at + 1) % size - at) * stride;
        b.connect(first + n, first + static_cast<int>(next), link);
      }
      stride *= size;
    }
  }
  return b.take();
}

}  // namespace

TopologyKind torus_topology() { return {"torus", "a grid of switches with closed rows", &make}; }

}  // namespace tutti::net::packet
