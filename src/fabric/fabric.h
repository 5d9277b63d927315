#pragma once
#include <cstdint>
#include <memory>

#include "fabric/fabric_spec.h"
#include "fabric/graph.h"
#include "fabric/link_statistics.h"
#include "fabric/packet.h"
#include "fabric/path.h"
#include "sim/simulation.h"

namespace tutti::fabric {

/// Moves packets over the links of a graph.
///
/// A packet pays its source's overhead, then asks for the first link. Each link serves its virtual channels chunk by
/// chunk in weighted round robin, and the packets of one channel one after the other, in the order in which their heads
/// arrived. Cut-through: the head goes on to the next link as soon as it has got this one. The packet has arrived when
/// its last byte is past every link and the destination's overhead. Alone, it takes exactly path_latency().
///
/// Packets of one channel between one pair of nodes arrive in order. Buffers in routers are unlimited: a busy link
/// delays those who want it, never the links before it. Model and limits: docs/fabric.md.
class Fabric {
 public:
  /// Keeps references to both. @throws ConfigError  no channel or more than 4; a weight, chunk or rate out of range.
  Fabric(sim::Simulation& simulation, const Graph& graph, FabricSpec spec);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  /// The client of a node; it must outlive the run. A node has one.
  void attach(NodeId node, Client& client);
  /// Starts a packet now. @pre both ends have a client; the channel exists.
  /// @throws ConfigError  no route: names both ends.
  void send(const Packet& packet);

  /// Time of a packet that meets no other.
  Time path_latency(NodeId from, NodeId to, std::uint64_t bytes, std::uint8_t channel = 0) const;
  /// The path that packets take; valid as long as the fabric.
  const Path& path(NodeId from, NodeId to) const;

  LinkStatistics statistics(LinkId link) const;
  /// Packets that have not arrived.
  std::uint64_t in_flight() const;
  /// Chunks that links have carried, counted once a link.
  std::uint64_t chunks() const;
  const Graph& graph() const;
  const FabricSpec& spec() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tutti::fabric
