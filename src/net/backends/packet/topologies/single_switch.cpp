/// Hosts on one switch.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int hosts = read_count(keys, "hosts");
  const CableSpec link = read_cable(keys, "host_link");
  TopologyBuilder b(keys);
  const int first = b.add_hosts(hosts), leaf = b.add_switches(1);
  b.connect_all(first, hosts, leaf, 1, link);
  return b.take();
}

}  // namespace

TopologyKind single_switch_topology() { return {"single_switch", "hosts on one switch", &make}; }

}  // namespace tutti::net::packet
