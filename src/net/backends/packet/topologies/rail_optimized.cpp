/// Machines of several GPUs: inside of one, NVSwitches; GPU i of every machine hangs on rail switch i of its block, and
/// spines join the rails. Every GPU is a host with a port a switch.
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int machines = read_count(keys, "machines"), gpus = read_count(keys, "gpus_per_machine"),
            inner = read_count(keys, "nvswitches_per_machine", 0), spines = read_count(keys, "spines", 0);
  const CableSpec rail = read_cable(keys, "rail_link");
  const CableSpec nvlink = inner > 0 ? read_cable(keys, "nvlink") : CableSpec{};
  const CableSpec up = spines > 0 ? read_cable(keys, "spine_link") : CableSpec{};
  TopologyBuilder b(keys);
  b.add_hosts(std::int64_t{machines} * gpus);
  const int inside = b.add_switches(std::int64_t{machines} * inner), rails = b.add_switches(gpus),
            spine = b.add_switches(spines);
  for (int m = 0; m < machines && b.usable(); ++m) {
    b.connect_all(m * gpus, gpus, inside + m * inner, inner, nvlink);
    for (int g = 0; g < gpus; ++g) b.connect(m * gpus + g, rails + g, rail);
  }
  b.connect_all(rails, gpus, spine, spines, up);
  return b.take();
}

}  // namespace

TopologyKind rail_optimized_topology() {
  return {"rail_optimized", "machines with NVSwitches, a switch a rail, spines above", &make};
}

}  // namespace tutti::net::packet
