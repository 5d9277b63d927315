#pragma once
#include <string>

#include "net/backends/packet/ns3/topology_file.h"
#include "net/backends/packet/settings.h"
#include "net/backends/packet/topology.h"

namespace tutti::net::packet {

/// What a topology.yaml says (docs/packet.md): `topology` with its kind, `ranks`, `transport`, `switches`, `failures`.
struct NetworkYaml {
  Settings settings;
  Topology topology;
  LogicalTopology logical;
};

/// @throws ConfigError  lists every fault with file:line:column: unknown kinds and keys, values without a unit, ranks
/// on
///                      switches or twice, dimensions whose product is not the number of ranks, ports without ECN
///                      thresholds where the congestion control needs them, failures of cables that are not there.
NetworkYaml read_network_yaml(const std::string& path);
NetworkYaml parse_network_yaml(const std::string& text, const std::string& name);

}  // namespace tutti::net::packet
