#pragma once
#include <coroutine>
#include <cstdint>
#include <span>

#include "device/environment.h"
#include "fabric/fabric.h"
#include "sim/own_waiter.h"

namespace tutti::device {

/// What follows a packet through the fabric; the packet's payload is its address, so it stays in place until arrived().
struct Flight {
  virtual void departing() {}  ///< first byte enters the first link
  virtual void arrived() = 0;  ///< tail is past the overhead of the destination

 protected:
  ~Flight() = default;
};

inline fabric::Packet packet(Flight& f, fabric::NodeId from, fabric::NodeId to, std::uint64_t bytes,
                             std::uint8_t channel) {
  return {from, to, bytes, channel, reinterpret_cast<std::uintptr_t>(&f)};
}

/// The one client of every node of a machine: hands each packet to its flight.
class FlightClient final : public fabric::Client {
 public:
  void departing(const fabric::Packet& p) override { flight(p).departing(); }
  void drained(const fabric::Packet&) override {}
  void arrived(const fabric::Packet& p) override { flight(p).arrived(); }

 private:
  static Flight& flight(const fabric::Packet& p) { return *reinterpret_cast<Flight*>(p.payload); }
};

/// `co_await Hop(...)`: sends a packet and waits until its tail has arrived. With `snapshot`, the bytes at `source` are
/// read into it when the first byte leaves.
class Hop final : private Flight {
 public:
  Hop(Environment& env, fabric::NodeId from, fabric::NodeId to, std::uint64_t bytes, std::uint8_t channel,
      sim::Name name, sim::Name owner, Address source = 0, std::span<std::byte> snapshot = {})
      : env_(&env),
        from_(from),
        to_(to),
        bytes_(bytes),
        source_(source),
        snapshot_(snapshot),
        waiter_(name, owner, true),
        channel_(channel) {}
  Hop(const Hop&) = delete;
  Hop& operator=(const Hop&) = delete;
  bool await_ready() const { return false; }
  template <class P>
  void await_suspend(std::coroutine_handle<P> h) {
    waiter_.suspend(h);
    env_->fabric.send(packet(*this, from_, to_, bytes_, channel_));
  }
  void await_resume() const {}

 private:
  void departing() override {
    if (!snapshot_.empty()) env_->memory.read(source_, snapshot_);
  }
  void arrived() override { waiter_.wake(); }

  Environment* env_;
  fabric::NodeId from_, to_;
  std::uint64_t bytes_;
  Address source_;
  std::span<std::byte> snapshot_;
  sim::OwnWaiter waiter_;
  std::uint8_t channel_;
};

}  // namespace tutti::device
