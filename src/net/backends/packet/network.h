#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sim/simulation.h"

namespace tutti::net::packet {

/// A full-duplex cable between two nodes.
struct Cable {
  int a = 0, b = 0;
  std::uint64_t rate = 0;     ///< bits a second, > 0
  std::int64_t delay_ns = 0;  ///< one way
};

/// Nodes 0..nodes-1; those that `is_switch` names forward, others are hosts.
struct Topology {
  int nodes = 0;
  std::vector<bool> is_switch;
  std::vector<Cable> cables;
};

/// Transmission time in ns: the bits are divided by the rate in 64.64 fixed point (truncated), then rounded to the
/// nearest ns; an exact half that the fixed point cannot hold goes down, as in the reference. @pre rate > 0
std::int64_t transmission_ns(std::uint64_t bytes, std::uint64_t rate);

/// RDMA hosts and store-and-forward switches without congestion control, PFC or loss: windows, round robin of queue
/// pairs, cumulative ACKs, ECMP. Unbounded switch queues. Times are whole ns and equal the reference's where neither a
/// pause nor a drop occurs.
class Network {
 public:
  /// @throws ConfigError  a cable that names an unknown node, or a rate of 0.
  Network(sim::Simulation& simulation, Topology topology, std::uint32_t payload);
  ~Network();

  /// Starts a flow now; `done` runs at the sender's last acknowledgement. @pre bytes > 0, below 2^32 (sequence numbers
  /// have 32 bits).
  /// @throws ConfigError  no path from src to dst.
  void start(int src, int dst, std::uint64_t bytes, std::function<void()> done);

 private:
  struct Packet;
  struct Port;
  struct Flow;
  struct Node;
  void arrive(Packet& p);
  void enqueue(int node, Packet& p);
  void transmit(int node, Port& port);
  Packet* next_of_host(Node& n);
  const std::vector<int>& next_hops(int node, int dst);
  Packet& make();

  sim::Simulation& simulation_;
  Topology topology_;
  std::uint32_t payload_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::map<int, std::vector<std::vector<int>>> routes_;  ///< destination -> node -> ports
  std::map<std::pair<int, int>, std::uint16_t> ports_used_;
  std::vector<std::unique_ptr<Packet>> pool_;
  std::vector<Packet*> free_;
};

}  // namespace tutti::net::packet
