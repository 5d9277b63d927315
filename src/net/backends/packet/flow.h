#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "net/backends/packet/congestion/control.h"
#include "net/backends/packet/transmission.h"

namespace tutti::net::packet {

class Nic;
class SwitchPort;
struct Flow;

/// Who is told about a flow's progress.
class FlowListener {
 public:
  virtual ~FlowListener() = default;
  /// The last byte is at the destination.
  virtual void delivered(Flow&) = 0;
  /// The sender knows that all bytes are there.
  virtual void acknowledged(Flow&) = 0;
};

/// A queue pair that carries one message: its sender's and its receiver's state.
struct Flow {
  int source = 0, destination = 0;
  std::uint16_t port = 0;   ///< source port, counts the messages of a pair
  std::uint64_t bytes = 0;  ///< of the message
  std::uint64_t span = 0;   ///< sequence numbers: bytes, but 1 for an empty message
  void* owner = nullptr;
  FlowListener* listener = nullptr;
  std::uint32_t references = 0;  ///< lists, packets and timers that point here

  // Sender.
  Nic* nic = nullptr;
  std::uint64_t next = 0, acked = 0;
  std::uint64_t window = 0;  ///< 0: none
  std::uint64_t limit = 0;   ///< the window at the current rate; 0: none
  std::uint64_t rate = 0, line_rate = 0;
  std::int64_t base_rtt_ns = 0;
  std::int64_t start_ps = 0, next_send_ps = 0;
  std::uint32_t last_size = 0;
  TransmissionCache pacing;
  std::unique_ptr<CongestionControl> control;
  std::int64_t timeout_ps = 0, deadline_ps = 0;
  bool timer_set = false;
  std::uint32_t timeouts = 0;

  // Receiver.
  Nic* sink = nullptr;
  std::uint64_t expected = 0, last_nack = 0;
  std::int64_t nack_again_ps = 0;
  bool delivered = false;

  // The way of its packets, switch by switch, and back.
  std::vector<SwitchPort*> there, back;

  bool finished() const { return acked >= span; }
  bool has_data() const { return next < span; }
  bool window_bound() const { return limit != 0 && next - acked >= limit; }
};

}  // namespace tutti::net::packet
