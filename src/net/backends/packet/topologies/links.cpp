/// Every cable by name: hosts are 0..hosts-1, switches hosts..hosts+switches-1.
#include <fmt/format.h>

#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

Topology make(const ConfigMap& keys) {
  const int hosts = read_count(keys, "hosts"), switches = read_count(keys, "switches", 0);
  TopologyBuilder b(keys);
  b.add_hosts(hosts);
  b.add_switches(switches);
  const auto list = keys.list("links");
  if (list.empty()) keys.at("links").fault("a list of {between: [0, 8], rate: 400 Gbps, delay: 500 ns} is needed");
  for (const ConfigValue& one : list) {
    const ConfigMap link = one.map();
    const auto ends = link.integers("between", {}, {.low = 0, .high = std::int64_t{hosts} + switches - 1});
    CableSpec spec;
    spec.rate = static_cast<std::uint64_t>(link.bandwidth("rate").bits_per_second());
    spec.delay_ns = link.time("delay", {}, {.low = Time(), .high = Time::s(10)}).ps() / 1000;
    spec.cables = static_cast<int>(link.integer("cables", 1, {.low = 1, .high = 1024}));
    spec.loss = link.number("loss", 0.0, {.low = 0.0, .high = 1.0});
    if (ends.size() != 2)
      link.at("between").fault("the two nodes at the ends are needed");
    else if (ends[0] == ends[1])
      link.at("between").fault("a node cannot be its own neighbour");
    else
      b.connect(static_cast<int>(ends[0]), static_cast<int>(ends[1]), spec);
  }
  return b.take();
}

}  // namespace

TopologyKind links_topology() { return {"links", "every cable by name", &make}; }

}  // namespace tutti::net::packet
