#pragma once
#include <cstdint>
#include <vector>

#include "net/backends/packet/port.h"

namespace tutti::net::packet {

/// A host's port: ACKs first, then the flows that may send, in turn. Also the receiving side of the flows that end
/// here.
class Nic final : public Port {
 public:
  using Port::Port;

  /// Adds a flow and starts to send.
  void open(Flow& flow);
  /// The flow may send at `ps` already, earlier than this port thought.
  void sooner(std::int64_t ps);
  /// Sends what is not acknowledged again.
  void go_back(Flow& flow);

 protected:
  Packet* next() override;
  void receive(Packet& p) override;

 private:
  Packet* take(Flow& flow);
  int turn(std::size_t& finished);
  void sleep();
  void receive_data(Packet& p);
  void receive_ack(Packet& p);
  void answer(Packet& p, Packet::Kind kind);
  void complete(Flow& flow);
  void arm(Flow& flow);
  static void wake(void* nic);
  static void timeout(void* flow);

  std::vector<Flow*> flows_;
  std::size_t last_ = 0;
  PacketQueue acks_;
  Timer* wake_ = nullptr;
};

}  // namespace tutti::net::packet
