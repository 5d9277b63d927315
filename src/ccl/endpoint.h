#pragma once
#include <cstdint>
#include <source_location>
#include <utility>

#include "base/units.h"
#include "ccl/port.h"
#include "memory/dtype.h"
#include "memory/reduce.h"
#include "sim/process.h"

namespace tutti::ccl {

/// An address in the memory of the rank; its space follows from the address.
using Address = std::uint64_t;
using Where = std::source_location;

class Endpoint;

/// A received message, held in the slot it arrived in. Move-only. Its credit goes back to the sender when it is
/// released
/// (`co_await tl.release(std::move(slot))`) or goes out of scope. Source: spec section 0, slot lifetime.
class Slot {
 public:
  Slot() = default;
  Slot(Endpoint& endpoint, Port port, Address address, Bytes size, std::uint64_t sequence)
      : endpoint_(&endpoint), port_(port), address_(address), size_(size), sequence_(sequence) {}
  Slot(Slot&& o) noexcept { *this = std::move(o); }
  Slot& operator=(Slot&& o) noexcept;
  ~Slot();

  Port port() const { return port_; }
  Address address() const { return address_; }
  Bytes size() const { return size_; }
  std::uint64_t sequence() const { return sequence_; }
  bool held() const { return endpoint_ != nullptr; }
  /// For endpoints: the slot is theirs again.
  void forget() { endpoint_ = nullptr; }

 private:
  Endpoint* endpoint_ = nullptr;
  Port port_{};
  Address address_ = 0;
  Bytes size_;
  std::uint64_t sequence_ = 0;
};

/// What a kernel can do: the `tl` of ADR-0023. A kernel knows ports, not ranks behind them, and runs unchanged on a
/// mock, a PE or a network. Every call remembers where it stands in the source, for the report of a dead run. Source:
/// ADR-0023 D4; spec 3.5.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// Sends `size` bytes at `source`; size 0 is a signal. Waits while the peer has no free slot, never for delivery.
  /// @throws ModelError  no neighbour at `port`; larger than a slot.
  virtual sim::Process<> send(Port port, Address source, Bytes size, Where where = Where::current()) = 0;
  /// Waits for the next message of `port`, in order of sending.
  virtual sim::Process<Slot> recv(Port port, Where where = Where::current()) = 0;
  /// Waits for a message of any port; begins to look after the port served last.
  virtual sim::Process<Slot> recv_any(Where where = Where::current()) = 0;
  /// Gives the slot back and waits as the credit mode says.
  virtual sim::Process<> release(Slot slot, Where where = Where::current()) = 0;
  /// Gives the slot back without waiting: what the end of a Slot's scope does.
  virtual void release_posted(const Slot& slot) noexcept = 0;
  /// Whether recv(port) would not wait; how many sends would not.
  virtual bool probe(Port port) const = 0;
  virtual std::uint32_t credits(Port port) const = 0;
  /// Whether a neighbour is there; geometry of its ring.
  virtual bool has(Port port) const = 0;
  virtual std::uint32_t n_slots(Port port) const = 0;
  virtual Bytes slot_size(Port port) const = 0;

  /// accumulator[i] = accumulator[i] op operand[i], `elements` of type `t`.
  virtual sim::Process<> reduce(memory::ReduceOp op, memory::DType t, Address accumulator, Address operand,
                                std::int64_t elements, Where where = Where::current()) = 0;
  virtual sim::Process<> copy(Address destination, Address source, Bytes size, Where where = Where::current()) = 0;

  /// Axis 0: PE in its cube, 1: cube, 2: SIP.
  virtual int program_id(int axis) const = 0;
  virtual int num_programs(int axis) const = 0;
};

inline Slot& Slot::operator=(Slot&& o) noexcept {
  if (this == &o) return *this;
  if (endpoint_) endpoint_->release_posted(*this);
  endpoint_ = std::exchange(o.endpoint_, nullptr);
  port_ = o.port_, address_ = o.address_, size_ = o.size_, sequence_ = o.sequence_;
  return *this;
}
inline Slot::~Slot() {
  if (endpoint_) endpoint_->release_posted(*this);
}

}  // namespace tutti::ccl
