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
    bytes.resize(token.nbytes);
    owner_.env_.fabric.send(packet(*this, owner_.node_, to.node_, token.nbytes, vc_comm));
  }
  std::vector<std::byte> bytes;

 private:
  void departing() override {
    if (leg_ != 0) return;
    if (!taken_ && token_.nbytes != 0) owner_.env_.memory.read(token_.src_addr, bytes);
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
    env.simulation.after(slot.write + env.spec.ipcq.meta, *this);
  }
  void written() {
    to_->deliver(token_, bytes);
    owner_.idle_flights_.push_back(this);
  }

  IpcqController& owner_;
  IpcqController* to_ = nullptr;
  IpcqDmaToken token_;
  MessageKey message_;
  int leg_ = 0;
  bool taken_ = false;
};

/// A credit on the fast path: wires of its own, no contention.
struct CreditFlight final : sim::Event {
  explicit CreditFlight(IpcqController& owner)
      : sim::Event([](sim::Event& e) { static_cast<CreditFlight&>(e).fire_credit(); }), owner_(owner) {}
  IpcqController* to = nullptr;
  IpcqCreditMetadata credit;

 private:
  void fire_credit() {
    to->credit_arrived(credit);
    owner_.idle_credits_.push_back(this);
  }
  IpcqController& owner_;
};

}  // namespace tutti::device
