/// Two sites, each of hosts on one switch, joined by long cables; with a switch in the middle if asked, as in the
/// seven-node network of ASTRA-sim's pull request 383.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int each = read_count(keys, "hosts_per_site");
  const bool middle = keys.boolean("middle_switch", false);
  const CableSpec host = read_cable(keys, "host_link"), far = read_cable(keys, "long_link");
  TopologyBuilder b(keys);
  b.add_hosts(2 * std::int64_t{each});
  const int site = b.add_switches(middle ? 3 : 2);
  for (int s = 0; s < 2 && b.usable(); ++s) b.connect_all(s * each, each, site + s, 1, host);
  if (middle)
    b.connect_all(site, 2, site + 2, 1, far);
  else
    b.connect(site, site + 1, far);
  return b.take();
}

}  // namespace

TopologyKind two_sites_topology() { return {"two_sites", "hosts at two sites with long cables between", &make}; }

}  // namespace tutti::net::packet
