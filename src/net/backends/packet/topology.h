#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tutti::net::packet {

/// A full-duplex cable between two nodes.
struct Cable {
  int a = 0, b = 0;
  std::uint64_t rate = 0;     ///< bits a second, > 0
  std::int64_t delay_ns = 0;  ///< one way, >= 0
  double loss = 0;            ///< probability that a packet does not survive a crossing; 0: the network's default
};

/// Nodes 0..nodes-1; those that `is_switch` names forward, others are hosts.
struct Topology {
  int nodes = 0;
  std::vector<bool> is_switch;
  std::vector<Cable> cables;
};

/// @throws ConfigError  a cable that names an unknown node or one node twice, a rate of 0, a negative delay.
void check_topology(const Topology& topology);

}  // namespace tutti::net::packet
