#pragma once
#include <cstdint>

#include "fabric/packet.h"
#include "fabric/path.h"
#include "sim/event.h"

namespace tutti::fabric {

struct Flight;

/// Moves flights on.
class FlightOwner {
 public:
  /// The head is at its next link, or the packet is through.
  virtual void moved(Flight&) = 0;

 protected:
  ~FlightOwner() = default;
};

/// A packet on its way. It is the event of its head's next stop: a link's queue, or the destination.
struct Flight : sim::Event {
  explicit Flight(FlightOwner& o)
      : Event([](sim::Event& e) { static_cast<Flight&>(e).owner->moved(static_cast<Flight&>(e)); }), owner(&o) {}
  FlightOwner* owner;
  Packet packet;
  const Path* path = nullptr;
  Flight* next_free = nullptr;
  Time tail;                ///< when the last byte is past the destination, as far as is known
  std::uint64_t order = 0;  ///< decides between heads that reach a link in one instant
  std::uint32_t hop = 0;    ///< that the head asks for next
  std::uint32_t ended = 0;  ///< links that have sent the last byte
};

}  // namespace tutti::fabric
