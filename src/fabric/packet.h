#pragma once
#include <cstdint>

#include "fabric/graph.h"

namespace tutti::fabric {

/// What travels: `bytes` (0 allowed: latency only) on one virtual channel, with an id that the fabric only carries.
struct Packet {
  NodeId from = 0;
  NodeId to = 0;
  std::uint64_t bytes = 0;
  std::uint8_t channel = 0;
  std::uint64_t payload = 0;
};

/// A part at a node that sends or receives packets. Its source is told of departing and drained, its destination of
/// arrived. It may send from within each of the three.
class Client {
 public:
  virtual ~Client() = default;
  /// The first byte enters the first link now, after the source's overhead and the wait for the link: snapshot here.
  virtual void departing(const Packet&) = 0;
  /// The last byte has left the source.
  virtual void drained(const Packet&) = 0;
  /// The last byte is past the destination's overhead: the terminal drain is paid.
  virtual void arrived(const Packet&) = 0;
};

}  // namespace tutti::fabric
