#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "net/backends/packet/port.h"
#include "net/backends/packet/shared_buffer.h"

namespace tutti::net::packet {

class Switch;

/// An output of a switch: a queue a class. Class 0 (pauses) goes first, the others take turns.
class SwitchPort final : public Port {
 public:
  static constexpr unsigned classes = SharedBuffer::classes;

  SwitchPort(Context& context, Switch& owner, int node, int index, std::uint64_t rate, std::int64_t delay_ps,
             double loss)
      : Port(context, node, index, rate, delay_ps, loss), owner_(owner) {}

  Switch& owner() const { return owner_; }
  void set_ecn(const EcnThreshold& t) { ecn_ = t; }
  void enqueue(Packet& p);
  /// Ahead of all data, and never held back.
  void send_control(Packet& p);
  bool should_mark(unsigned cls);
  /// Bytes that wait, of one class or all.
  std::uint64_t queued(unsigned cls) const { return queued_[cls]; }
  std::uint64_t queued() const { return total_; }
  std::uint64_t peak = 0, marks = 0, drops = 0;  ///< peak: bytes that waited, at most, after a departure
  void empty(std::uint64_t& dropped);            ///< drops all that waits

 protected:
  Packet* next() override;
  void receive(Packet& p) override;

 private:
  friend class Switch;
  void push(Packet& p, unsigned cls);

  Switch& owner_;
  PacketQueue queues_[classes];
  std::uint64_t queued_[classes] = {};
  std::uint64_t total_ = 0;
  std::uint8_t waiting_ = 0;  ///< a bit a class
  unsigned turn_ = 0;
  EcnThreshold ecn_;
  // PINT
  double utilization_ = 0;
  std::int64_t last_ps_ = 0;
  std::uint32_t last_size_ = 0;
};

/// Stores and forwards. What a packet may enter and who must pause is the SharedBuffer's business.
class Switch {
 public:
  using Choose = std::function<SwitchPort*(Switch&, const Packet&)>;
  Switch(Context& context, int id) : context_(context), id_(id) {}

  SwitchPort& add_port(std::uint64_t rate, std::int64_t delay_ps, double loss);
  /// After all ports are there. @throws ConfigError  the buffer cannot hold the headrooms.
  void finish(std::uint64_t host_rate);
  int id() const { return id_; }
  const std::vector<std::unique_ptr<SwitchPort>>& ports() const { return ports_; }
  const SharedBuffer& buffer() const { return *buffer_; }
  /// Asked when a packet's flow does not say where it goes on from here; null: nowhere.
  void set_choose(const Choose* choose) { choose_ = choose; }

 private:
  friend class SwitchPort;
  void forward(SwitchPort& in, Packet& p);
  void leaving(SwitchPort& out, Packet& p);
  void lost(SwitchPort& in, Packet& p);
  void send_pause(SwitchPort& to, unsigned cls, Packet::Kind kind);
  void stamp(SwitchPort& out, Packet& p);
  SharedBuffer::PortSpec buffer_spec(const SwitchPort& port, std::uint64_t host_rate) const;

  Context& context_;
  int id_;
  std::vector<std::unique_ptr<SwitchPort>> ports_;
  std::unique_ptr<SharedBuffer> buffer_;
  const Choose* choose_ = nullptr;
  std::vector<unsigned> in_;
};

}  // namespace tutti::net::packet
