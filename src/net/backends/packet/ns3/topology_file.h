#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "net/backends/packet/topology.h"

namespace tutti::net::packet {

/// ns-3's topology file: "nodes switches links", the ids of the switches, then a line a link: "from to rate delay
/// loss". Comments start with '#'.
/// @throws ConfigError  lists every fault with file:line: counts that do not fit, nodes out of range, values that are
///                      none.
Topology read_ns3_topology(const std::string& path);
Topology parse_ns3_topology(const std::string& text, const std::string& path);

/// The logical dimensions of the ranks and the host of each.
struct LogicalTopology {
  std::vector<std::uint32_t> dimensions;  ///< dimension 0 fastest; their product is the number of ranks
  std::vector<int> hosts;                 ///< of each rank
};

/// JSON: {"logical-dims": ["8", "2"]}, numbers or strings of digits; and, if ranks are not the nodes of their own
/// number, "hosts": [...], a node a rank. An empty path: one dimension of all hosts, in order.
/// @throws ConfigError  with the file: not this form, more ranks than hosts, a rank on a switch, a host twice.
LogicalTopology read_logical_topology(const std::string& path, const Topology& topology);
LogicalTopology parse_logical_topology(const std::string& text, const std::string& path, const Topology& topology);

}  // namespace tutti::net::packet
