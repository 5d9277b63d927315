#pragma once
#include <cstdint>
#include <memory>

namespace tutti::net::packet {

struct Context;
struct Flow;
struct Packet;
struct Settings;

/// Sets the rate of one flow. One file an algorithm.
class CongestionControl {
 public:
  virtual ~CongestionControl() = default;
  /// An ACK or NACK has come, and flow.acked and flow.next are up to date.
  virtual void acknowledged(Flow& flow, const Packet& ack) = 0;
  /// The flow is complete: no timer may ring any more.
  virtual void stop() {}
};

/// For `flow`, whose rate and line rate are set; nothing for Congestion::none.
std::unique_ptr<CongestionControl> make_congestion_control(Context& context, Flow& flow);

/// Bytes of a packet beyond its payload, and of an ACK.
struct HeaderBytes {
  std::uint32_t data = 36, acknowledgement = 48;
};
HeaderBytes header_bytes(const Settings& settings);

/// Sets flow.rate in bits a second, and with it the limit of the window. Takes effect with the next packet.
void set_rate(const Context& context, Flow& flow, std::uint64_t rate);

}  // namespace tutti::net::packet
