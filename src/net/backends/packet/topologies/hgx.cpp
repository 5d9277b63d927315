/// One machine: every GPU has cables to every NVSwitch, which are planes of their own.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const auto gpus = static_cast<int>(keys.integer("gpus", 8, {.low = 1, .high = 1024}));
  const auto planes = static_cast<int>(keys.integer("nvswitches", 4, {.low = 1, .high = 1024}));
  const CableSpec link = read_cable(keys, "nvlink");
  TopologyBuilder b(keys);
  const int first = b.add_hosts(gpus), above = b.add_switches(planes);
  b.connect_all(first, gpus, above, planes, link);
  return b.take();
}

}  // namespace

TopologyKind hgx_topology() { return {"hgx", "one machine of GPUs with NVSwitches", &make}; }

}  // namespace tutti::net::packet
