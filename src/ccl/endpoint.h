#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

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

/// A receive that was asked for and not yet waited for.
struct Ticket {
  Port port{};
  std::uint64_t number = 0;  ///< of the receives of this port
};
/// An operation of `composite` that runs.
struct Pending {
  std::uint64_t number = 0;
};

/// c (m x n) = a (m x k) x b (k x n), plus what c held if `accumulate`; contiguous, row by row.
struct Gemm {
  Address a = 0, b = 0, c = 0;
  std::int64_t m = 0, n = 0, k = 0;
  memory::DType dtype = memory::DType::f16;
  bool accumulate = false;
};

/// What a kernel can do: the `tl` of ADR-0023. A kernel knows ports, not ranks behind them, and runs unchanged on a
/// mock, a PE or a network. Every call remembers where it stands in the source, for the report of a dead run. Source:
/// ADR-0023 D4; spec 3.5.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// Sends `size` bytes at `source`; size 0 is a signal. Waits while the peer has no free slot, never for delivery: the
  /// source must stay as it is until the message has left.
  /// @throws ModelError  no neighbour at `port`; larger than a slot.
  virtual sim::Process<> send(Port port, Address source, Bytes size, Where where = Where::current()) = 0;
  /// Waits for the next message of `port`, in order of sending; after those that tickets were given for.
  sim::Process<Slot> recv(Port port, Where where = Where::current());
  /// Waits for a message of any port; begins to look after the port served last.
  /// @throws ModelError  tickets are outstanding.
  sim::Process<Slot> recv_any(Where where = Where::current());
  /// Receives and copies to `destination`; the slot goes back at once. @return bytes of the message.
  sim::Process<Bytes> recv_into(Port port, Address destination, Where where = Where::current());
  /// Asks for the next message of `port` without waiting. Tickets of a port are served in order.
  Ticket recv_async(Port port);
  /// Waits for the message of a ticket; completes earlier tickets of its port on the way.
  /// @throws ModelError  waited for already.
  sim::Process<Slot> wait(Ticket ticket, Where where = Where::current());
  /// One message of each port, in the order of `ports`, whichever order they arrive in. (g++ 12 wants `ports` in a
  /// variable, not in braces at the call.)
  sim::Process<std::vector<Slot>> recv_all(std::vector<Port> ports, Where where = Where::current());
  /// Sends at one port and receives at another.
  sim::Process<Slot> send_recv(Port to, Address source, Bytes size, Port from, Where where = Where::current());
  /// Gives the slot back and waits as the credit mode says.
  virtual sim::Process<> release(Slot slot, Where where = Where::current()) = 0;
  /// Gives the slot back without waiting: what the end of a Slot's scope does.
  virtual void release_posted(const Slot& slot) noexcept = 0;
  /// Waits until every message sent at `port` has left: then its source may be written. Where a send takes its bytes at
  /// once there is nothing to wait for.
  virtual sim::Process<> left(Port, Where = Where::current()) { co_return; }
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
  /// From a memory to the rank's own fast memory, and back.
  virtual sim::Process<> load(Address fast, Address source, Bytes size, Where where = Where::current()) {
    return copy(fast, source, size, where);
  }
  virtual sim::Process<> store(Address destination, Address fast, Bytes size, Where where = Where::current()) {
    return copy(destination, fast, size, where);
  }
  /// Starts a matrix product; the kernel goes on. `a`, `b` and `c` are its until wait() returns.
  virtual Pending composite(const Gemm& gemm, Where where = Where::current()) = 0;
  virtual sim::Process<> wait(Pending pending, Where where = Where::current()) = 0;
  /// Waits until every rank has come here.
  virtual sim::Process<> barrier(Where where = Where::current()) = 0;

  /// Axis 0: PE in its cube, 1: cube, 2: SIP.
  virtual int program_id(int axis) const = 0;
  virtual int num_programs(int axis) const = 0;

 protected:
  virtual sim::Process<Slot> receive(Port port, Where where) = 0;
  virtual sim::Process<Slot> receive_any(Where where) = 0;
  /// @throws ModelError  naming the rank.
  [[noreturn]] virtual void misused(const std::string& what) const = 0;

 private:
  sim::Process<Slot> receive_in_turn(Port port, Where where);
  struct Tickets {
    std::uint64_t given = 0, served = 0, first = 0;
    std::deque<Slot> ready;  ///< of tickets `first` to `served`; no longer held where taken
  };
  Tickets& tickets(Port p) {
    if (tickets_.size() <= index(p)) tickets_.resize(index(p) + 1);
    return tickets_[index(p)];
  }
  std::deque<Tickets> tickets_;  ///< by port, as far as used
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
