#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/environment.h"
#include "device/flight.h"
#include "device/ipcq/port_set.h"
#include "device/statistics.h"
#include "device/wait_queue.h"

namespace tutti::device {

class IpcqController;

/// What a kernel holds of a message: the slot that it lies in.
struct ReceivedSlot {
  Direction port{};
  IpcqQueuePair::Slot slot;
  bool credited = false;  ///< slot_release at_recv: the credit has left already
};

/// What a kernel's call waits for, for the report of a dead run.
struct BlockedCall {
  const char* call = nullptr;  ///< "send", "recv", ...; null: not blocked
  std::optional<Direction> port;
  Time since;
  Where where;
};

/// One port's connection, as the initialisation wires it: pairing has been checked.
struct Wiring {
  IpcqController* peer = nullptr;
  std::int32_t peer_index = 0;
  Direction peer_port{};
  bool sends = true, receives = true;
};

/// PE_IPCQ: the control plane of one PE's queues, in simulated time. Data travels by the PE's DMA on vc_comm.
///
/// send: backpressure check, token, my_head + 1, hand over; the source is read when the first byte leaves. Arrival:
/// terminal drain, latency of the slot's memory, then bytes and metadata in one call. Release: credit_gen, then the
/// credit's path latency. Source: ADR-0023 D5, D7, D9; spec 2.1, 2.3.
class IpcqController {
 public:
  IpcqController(Environment& env, std::int32_t index, PeId id, fabric::NodeId node, TimeUse& time);
  ~IpcqController();
  IpcqController(const IpcqController&) = delete;
  IpcqController& operator=(const IpcqController&) = delete;

  /// @throws IpcqRegionOverflow, ModelError  see IpcqPortSet.
  void install(const IpcqInitMsg& init, const IpcqConfig& config, const std::array<std::optional<Wiring>, max_ports>&);
  bool installed() const { return ports_ != nullptr; }

  sim::Process<> send(Direction port, Address source, std::uint64_t bytes, Where where);
  sim::Process<ReceivedSlot> recv(std::optional<Direction> port, Where where);
  /// Waits for the credit's arrival if credit.wait is blocking.
  sim::Process<> release(ReceivedSlot slot, Where where);
  void release_posted(const ReceivedSlot& slot);

  bool has(Direction port) const { return wiring_[index(port)].has_value(); }
  /// @throws IpcqInvalidDirection
  const IpcqQueuePair& queue_pair(Direction port) const;
  const QueuePairUse& use(Direction port) const { return use_[index(port)]; }
  const std::optional<Wiring>& wiring(Direction port) const { return wiring_[index(port)]; }
  const BlockedCall& blocked() const { return blocked_; }
  const IpcqConfig& config() const { return config_; }
  /// @throws IpcqLeak  unread or unreleased slots.
  void check_no_leak() const {
    if (ports_) ports_->check_no_leak();
  }
  const std::string& name() const { return name_; }
  PeId id() const { return id_; }

 private:
  friend struct SendFlight;
  friend struct CreditFlight;
  static std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
  /// Bytes into the slot and metadata into the pointers, with nothing between (I6).
  void deliver(const IpcqDmaToken& token, std::span<const std::byte> bytes);
  void credit_arrived(const IpcqCreditMetadata& credit);
  void take_wait_apart(Time began, std::uint64_t bytes, Direction port);
  /// Sends the credit of `port`; returns when it will be there.
  Time emit_credit(Direction port);
  bool release_slot(const ReceivedSlot& slot);
  WaitQueue::Wait wait_on(WaitQueue& queue, const char* name);
  void block(const char* call, std::optional<Direction> port, Where where) {
    blocked_ = {call, port, env_.simulation.now(), where};
  }
  MessageKey key(Direction port, std::uint64_t sequence) const { return {index_, port, sequence}; }

  Environment& env_;
  std::int32_t index_;
  PeId id_;
  std::string name_;
  fabric::NodeId node_;
  TimeUse& time_;
  IpcqConfig config_;
  std::unique_ptr<IpcqPortSet> ports_;
  std::array<std::optional<Wiring>, max_ports> wiring_;
  std::array<QueuePairUse, max_ports> use_{};
  std::array<Time, max_ports> credit_latency_{};
  std::array<WaitQueue, max_ports> free_slot_;
  WaitQueue data_;
  BlockedCall blocked_;
  Time poll_start_;
  std::vector<std::unique_ptr<struct SendFlight>> flights_;
  std::vector<struct SendFlight*> idle_flights_;
  std::vector<std::unique_ptr<struct CreditFlight>> credits_;
  std::vector<struct CreditFlight*> idle_credits_;
};

}  // namespace tutti::device
