#pragma once
#include <cstdint>

#include "sim/event.h"

namespace tutti::net::packet {

struct Flow;
class Port;

/// What a switch wrote about one of its ports when the packet left through it.
struct Hop {
  std::int64_t time_ns = 0;
  std::uint64_t bytes = 0;  ///< sent before this packet
  std::uint64_t queue = 0;  ///< bytes that wait after it
  std::uint64_t rate = 0;   ///< bits a second
};
struct Telemetry {
  static constexpr std::uint32_t most = 8;
  std::uint32_t count = 0;
  Hop hop[most];
};

/// A packet, from its host's queue pair to its last consumer. It is the event of its own arrival at `port`.
struct Packet : sim::Event {
  enum class Kind : std::uint8_t { data, ack, nack, pause, resume };
  static constexpr std::uint32_t header = 36, acknowledgement = 48, pause_frame = 31;

  Packet() : sim::Event(nullptr) {}
  Packet* next = nullptr;      ///< in a queue
  Flow* flow = nullptr;        ///< none for pauses
  Port* port = nullptr;        ///< where it arrives, or came in
  std::uint64_t sequence = 0;  ///< of its first byte, or the next one expected
  std::uint32_t size = 0;      ///< bytes on the wire
  std::uint32_t data = 0;      ///< payload
  Kind kind = Kind::data;
  std::uint8_t traffic_class = 3;
  bool marked = false;            ///< congestion was experienced; in an ACK: it is reported
  std::uint8_t hop = 0;           ///< switches passed
  std::uint16_t utilization = 0;  ///< PINT: of the busiest port passed, coded
  std::int64_t sent_ps = 0;       ///< when it left its host, if the congestion control needs it
  Telemetry* telemetry = nullptr;
};

/// First in, first out, linked through the packets.
struct PacketQueue {
  Packet* head = nullptr;
  Packet* tail = nullptr;
  bool empty() const { return !head; }
  void push(Packet& p) {
    p.next = nullptr;
    (head ? tail->next : head) = &p;
    tail = &p;
  }
  Packet* pop() {
    Packet* const p = head;
    head = p->next;
    return p;
  }
};

}  // namespace tutti::net::packet
