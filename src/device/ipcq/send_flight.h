#pragma once
#include <vector>

#include "device/ipcq/controller.h"

namespace tutti::device {

/// A message on its way: snapshot at injection, then the receiver's drain, the latency of the slot's memory, and the
/// one step that makes it visible. A slot outside of the receiver's TCM takes a second leg from its DMA to the memory.
struct SendFlight final : Flight, private sim::Event {
  explicit SendFlight(IpcqController& owner)
      : sim::Event([](sim::Event& e) { static_cast<SendFlight&>(e).written(); }), owner_(owner) {}

  void start(const IpcqDmaToken& token, IpcqController& to, MessageKey message, bool snapshot_taken) {
    token_ = token, to_ = &to, message_ = message, leg_ = 0, taken_ = snapshot_taken;
    if (!taken_) ++owner_.unread_sources_[IpcqController::index(token.src_direction)];
    bytes.resize(token.nbytes);
    const std::uint64_t ack = token.has_ack ? owner_.config_.piggyback_bytes : 0;
    owner_.env_.fabric.send(packet(*this, owner_.node_, to.node_, token.nbytes + ack, vc_comm));
  }
  std::vector<std::byte> bytes;

 private:
  void departing() override {
    if (leg_ != 0) return;
    if (!taken_ && token_.nbytes != 0) owner_.env_.memory.read(token_.src_addr, bytes);
    if (!taken_ && --owner_.unread_sources_[IpcqController::index(token_.src_direction)] == 0)
      owner_.source_read_.fire();
    owner_.env_.record(&Recorder::source_read, message_, std::span<const std::byte>(bytes),
                       owner_.env_.simulation.now());
  }
  void arrived() override {
    Environment& env = owner_.env_;
    const MemoryPart& slot = env.memory.part(token_.dst_addr);
    if (leg_ == 0 && !slot.kind->in_pe) {
      leg_ = 1;
      env.fabric.send(packet(*this, to_->node_, slot.node, token_.nbytes, vc_comm));
      return;
    }
    const Time banks = env.spec.tcm_bank_conflicts ? bank_wait(env) : Time();
    env.simulation.after(banks + slot.write + env.spec.ipcq.meta, *this);
  }
  Time bank_wait(Environment& env) const {
    const Bytes n(token_.nbytes);
    return env.memory.claim_banks(token_.dst_addr, token_.nbytes, env.simulation.now(),
                                  env.spec.tcm.write + serialization_time(n, env.spec.tcm_port));
  }
  void written() {
    if (Faults* faults = owner_.env_.faults; faults && !faulty_) [[unlikely]] {
      const Fate fate = faults->message(message_);
      if (fate.lost) return;
      if (fate.twice) to_->deliver(token_, bytes);
      if (fate.late != Time()) {
        faulty_ = true;
        return owner_.env_.simulation.after(fate.late, *this);
      }
    }
    faulty_ = false;
    to_->deliver(token_, bytes);
    owner_.idle_flights_.push_back(this);
  }

  IpcqController& owner_;
  IpcqController* to_ = nullptr;
  IpcqDmaToken token_;
  MessageKey message_;
  int leg_ = 0;
  bool taken_ = false, faulty_ = false;
};

/// A credit on its way by itself: first the latency of its making (with the fast path: of its path, too), then a packet
/// if the mode has one.
struct CreditFlight final : Flight, sim::Event {
  explicit CreditFlight(IpcqController& owner)
      : sim::Event([](sim::Event& e) { static_cast<CreditFlight&>(e).made(); }), owner_(owner) {}
  IpcqController* to = nullptr;
  IpcqCreditMetadata credit;
  sim::OwnWaiter* waiter = nullptr;

 private:
  void made() {
    if (late_) return there();
    if (!owner_.credit_is_packet()) return arrived();
    owner_.env_.fabric.send(packet(*this, owner_.node_, to->node_, owner_.credit_bytes_, owner_.credit_channel_));
  }
  void arrived() override {
    if (Faults* faults = owner_.env_.faults) [[unlikely]] {
      const Direction port = credit.src_direction;
      const Fate fate = faults->credit(owner_.index_, port, owner_.use_[IpcqController::index(port)].credits - 1);
      if (fate.lost) {
        if (waiter) waiter->wake();
        return;
      }
      if (fate.twice) to->credit_arrived(credit);
      if (fate.late != Time()) {
        late_ = true;
        return owner_.env_.simulation.after(fate.late, *this);
      }
    }
    there();
  }
  void there() {
    late_ = false;
    to->credit_arrived(credit);
    if (waiter) waiter->wake();
    owner_.idle_credits_.push_back(this);
  }
  IpcqController& owner_;
  bool late_ = false;
};

/// piggyback: a credit that waits for a message the other way, and the timer that ends the wait.
struct HoldTimer final : sim::Event {
  HoldTimer(IpcqController& owner, Direction port)
      : sim::Event([](sim::Event& e) {
          auto& t = static_cast<HoldTimer&>(e);
          t.scheduled = false;
          t.owner_.hold_timed_out(t.port_);
        }),
        owner_(owner),
        port_(port) {}
  bool holds = false;
  bool scheduled = false;
  Time since;

 private:
  IpcqController& owner_;
  Direction port_;
};

}  // namespace tutti::device
