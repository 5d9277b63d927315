#pragma once
#include <cstdint>

#include "base/units.h"
#include "sim/event.h"

namespace tutti::net {

/// A message from one rank to another. Its owner keeps it alive until both callbacks have run; a backend calls each
/// exactly once, in either order, and does not touch the message after the second. While the message is under way its
/// Event and `route` belong to the backend.
struct Message : sim::Event {
  using Callback = void (*)(Message&);
  Message() : sim::Event(nullptr) {}

  std::uint64_t bytes = 0;
  std::uint32_t source = 0;       ///< rank
  std::uint32_t destination = 0;  ///< rank
  Callback sent =
      nullptr;  ///< the sender may go on: analytical networks call it at arrival, packet networks at the last ACK
  Callback delivered = nullptr;  ///< the last byte is at the destination

  /// The owner's: how the message is matched, and what waits for it.
  std::uint64_t space = 0;
  std::uint64_t tag = 0;
  void* owner = nullptr;
  std::uint32_t note = 0;

  struct Route {
    std::uint32_t to = 0;         ///< rank at the end of the hop under way, beyond the switch if there is one
    std::uint32_t dimension = 0;  ///< of the hop under way
    bool in_switch = false;       ///< the hop under way ends in a switch
    Time tail;                    ///< when the last byte is at the device that the first packet is at (cut-through)
    void* network = nullptr;
    Message* next = nullptr;  ///< in a link's queue
  } route;
};

}  // namespace tutti::net
