#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/environment.h"
#include "device/flight.h"
#include "device/ipcq/port_set.h"
#include "device/ipcq/protocol.h"
#include "device/statistics.h"
#include "device/wait_queue.h"
#include "sim/gate.h"

namespace tutti::device {

class IpcqController;

/// What a kernel holds of a message: the slot that it lies in.
struct ReceivedSlot {
  Direction port{};
  IpcqQueuePair::Slot slot;
  bool credited = false;  ///< slot_release at_recv: the credit has left already
};

/// A receive that was posted and not yet waited for: the `number`-th of its port.
struct ReceiveTicket {
  Direction port{};
  std::uint64_t number = 0;
};

/// What a kernel's call waits for, for the report of a dead run.
struct BlockedCall {
  const char* call = nullptr;  ///< "send", "recv", ...; null: not blocked
  std::optional<Direction> port;
  Time since;
  Where where;
};

/// A call that a kernel made, for the report of a dead run.
struct ProgramCall {
  const char* call;  ///< "send", "recv", ...
  std::optional<Direction> port;
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
  /// @param wiring  by port; ports beyond its end have no neighbour.
  void install(const IpcqInitMsg& init, const IpcqConfig& config, std::vector<std::optional<Wiring>> wiring);
  bool installed() const { return ports_ != nullptr; }

  /// @param type  of the elements, 0: none. The receiver may compare it (Pe::recv_typed).
  sim::Process<> send(Direction port, Address source, std::uint64_t bytes, Where where, std::uint8_t type = 0);
  sim::Process<ReceivedSlot> recv(std::optional<Direction> port, Where where);
  /// Posts a receive without waiting. Tickets of a port are served in order: waiting for one completes all before it.
  sim::Process<ReceiveTicket> recv_async(Direction port, Where where);
  /// @throws ModelError  a ticket that was waited for already.
  sim::Process<ReceivedSlot> wait(ReceiveTicket ticket, Where where);
  /// Waits for the credit's arrival if credit.wait is blocking.
  sim::Process<> release(ReceivedSlot slot, Where where);
  void release_posted(const ReceivedSlot& slot);

  /// Ports are 0 to ports() - 1; not each has a neighbour.
  std::size_t ports() const { return wiring_.size(); }
  bool has(Direction port) const { return index(port) < wiring_.size() && wiring_[index(port)].has_value(); }
  /// @throws IpcqInvalidDirection
  const IpcqQueuePair& queue_pair(Direction port) const;
  /// @pre has(port).
  const QueuePairUse& use(Direction port) const { return use_[index(port)]; }
  /// @pre port < ports().
  const std::optional<Wiring>& wiring(Direction port) const { return wiring_[index(port)]; }
  const BlockedCall& blocked() const { return blocked_; }
  const IpcqConfig& config() const { return config_; }
  /// Whether nothing sent at `port` is still to be read from its source; waits until then.
  bool left(Direction port) const { return unread_sources_[index(port)] == 0; }
  sim::Process<> wait_left(Direction port, Where where);
  void begin_kernel();
  /// The kernel's first calls, at most `most_calls`, and whether there come no more.
  static constexpr std::size_t most_calls = 256;
  const std::vector<ProgramCall>& program() const { return program_; }
  bool program_ended() const { return program_ended_; }
  void end_program() { program_ended_ = program_.size() < most_calls; }
  /// The kernel has ended: credits that wait for a message go alone.
  void flush_credits();
  /// @throws IpcqLeak  unread or unreleased slots.
  void check_no_leak() const {
    if (ports_) ports_->check_no_leak();
  }
  const std::string& name() const { return name_; }
  /// The kernel that runs here, for whoever waits for it; null before the first, and if processes of its own work for
  /// it.
  const sim::Root* kernel_process() const { return process_ && !spawns_ ? &process_->root() : nullptr; }
  void runs(sim::ProcessHandle process, bool spawns) { process_ = process, spawns_ = spawns; }
  PeId id() const { return id_; }

 private:
  friend struct SendFlight;
  friend struct ProtocolFlight;
  friend struct CreditFlight;
  friend struct HoldTimer;
  friend class CreditEmit;
  static std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
  /// Bytes into the slot and metadata into the pointers, with nothing between (I6).
  void deliver(const IpcqDmaToken& token, std::span<const std::byte> bytes);
  void credit_arrived(const IpcqCreditMetadata& credit);
  void credit_moved(IpcqQueuePair& qp, std::uint32_t consumer_seq);
  void check_receives(std::optional<Direction> port) const;
  /// Waits until `port` (or any) has a message, takes it, accounts for it.
  sim::Process<ReceivedSlot> take(std::optional<Direction> port, const char* call, Where where);
  sim::Process<ReceivedSlot> finish(ReceivedSlot held, Where where);
  /// The last steps of a send under another protocol than the IPCQ's.
  sim::Process<> hand_over(IpcqDmaToken token, MessageKey message, bool in_own_tcm, Where where);
  sim::Process<> stop_if_stuck(Where where);
  void take_wait_apart(Time began, std::uint64_t bytes, Direction port);
  /// Starts the credit of `port` on its way and calls `waiter` when it is there.
  void emit_credit(Direction port, sim::OwnWaiter* waiter = nullptr);
  void emit_alone(Direction port, sim::OwnWaiter* waiter);
  /// piggyback: the credit waits for a message the other way, or for one of the fallbacks.
  void hold_credit(Direction port);
  void hold_timed_out(Direction port);
  bool credit_is_packet() const {
    return config_.credit_mode == CreditMode::link || config_.credit_mode == CreditMode::vc_mux;
  }
  bool release_slot(const ReceivedSlot& slot);
  WaitQueue::Wait wait_on(WaitQueue& queue, const class PortWait& why, Where where);
  void note(const char* call, std::optional<Direction> port, Where where) {
    if (program_.size() < most_calls) program_.push_back({call, port, where});
  }
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
  ProtocolTimes times_;
  std::unique_ptr<IpcqPortSet> ports_;
  // By port, as far as installed.
  std::vector<std::optional<Wiring>> wiring_;
  std::vector<QueuePairUse> use_;
  std::vector<Time> credit_latency_;
  std::vector<std::unique_ptr<struct HoldTimer>> held_credits_;
  std::vector<std::uint64_t> last_credit_;     ///< piggyback: what the peer has been told
  std::vector<std::uint32_t> unread_sources_;  ///< messages that wait for their first byte to leave
  sim::Signal source_read_{"a message of its own to leave"};
  bool kernel_ended_ = false, spawns_ = false;
  std::optional<sim::ProcessHandle> process_;
  std::uint8_t credit_channel_ = vc_comm;
  std::uint32_t credit_bytes_ = 16;
  /// Posted receives of a port: tickets issued, and the slots of those that completed before they were waited for.
  struct Posted {
    std::uint64_t issued = 0, completed = 0;
    std::vector<std::pair<std::uint64_t, ReceivedSlot>> ready;
  };
  std::vector<Posted> posted_;
  std::vector<WaitQueue> free_slot_;
  WaitQueue data_;
  BlockedCall blocked_;
  std::vector<ProgramCall> program_;
  bool program_ended_ = false;
  std::vector<std::unique_ptr<struct SendFlight>> flights_;
  std::vector<struct SendFlight*> idle_flights_;
  std::vector<std::unique_ptr<struct ProtocolFlight>> protocol_flights_;
  std::vector<struct ProtocolFlight*> idle_protocol_flights_;
  std::vector<std::unique_ptr<struct CreditFlight>> credits_;
  std::vector<struct CreditFlight*> idle_credits_;
};

}  // namespace tutti::device
