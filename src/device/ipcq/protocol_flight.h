#pragma once
#include <vector>

#include "device/ipcq/controller.h"
#include "device/ipcq/protocol.h"

namespace tutti::device {

/// A message of one of the protocols that ADR-0023 D23 weighs against the IPCQ; closed forms in docs/device.md.
///
/// doorbell: data, acknowledgement of its write (the fence), doorbell word; the sender's CPU waits for the fence.
/// message_queue: data on vc_comm and a descriptor on the queue's own wires; visible when both are there.
/// completion_queue: data, then a completion entry in the receiver's TCM; an acknowledgement returns to the sender.
struct ProtocolFlight final : Flight, private sim::Event {
  explicit ProtocolFlight(IpcqController& owner)
      : sim::Event([](sim::Event& e) { static_cast<ProtocolFlight&>(e).timed(); }), owner_(owner), descriptor_(*this) {}

  void start(const IpcqDmaToken& token, IpcqController& to, MessageKey message, bool snapshot_taken) {
    token_ = token, to_ = &to, message_ = message, taken_ = snapshot_taken;
    bytes.resize(token.nbytes);
    if (!taken_) ++owner_.unread_sources_[IpcqController::index(token.src_direction)];
    const bool two = protocol() == Protocol::message_queue;
    missing_ = two ? 2 : 1;
    fly(Stage::data, owner_.node_, to.node_, token.nbytes);
    if (two)
      owner_.env_.fabric.send(packet(descriptor_, owner_.node_, to.node_, descriptor_bytes, owner_.credit_channel_));
  }
  /// doorbell: the fence is passed.
  void ring() { fly(Stage::doorbell, owner_.node_, to_->node_, doorbell_bytes); }

  /// `co_await flight.fence(...)`: until the data's write has been acknowledged.
  class Fence {
   public:
    Fence(ProtocolFlight& f, sim::Where where) : flight_(&f), waiter_("the fence (send)", f.to_->name(), true, where) {}
    bool await_ready() const { return flight_->fenced_; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> h) {
      waiter_.suspend(h);
      flight_->fence_ = &waiter_;
    }
    void await_resume() const {}

   private:
    ProtocolFlight* flight_;
    sim::OwnWaiter waiter_;
  };
  Fence fence(sim::Where where) {
    fenced_ = false;
    return Fence(*this, where);
  }
  std::vector<std::byte> bytes;

 private:
  enum class Stage : std::uint8_t { data, slot, fence, doorbell, acknowledgement };
  /// message_queue: what travels beside the data.
  struct Descriptor final : Flight, sim::Event {
    explicit Descriptor(ProtocolFlight& f)
        : sim::Event([](sim::Event& e) { static_cast<Descriptor&>(e).message.visible(); }), message(f) {}
    void arrived() override {
      const Environment& env = message.owner_.env_;
      env.simulation.after(env.spec.ipcq.meta, *this);
    }
    ProtocolFlight& message;
  };

  Protocol protocol() const { return owner_.config_.protocol; }
  void fly(Stage stage, fabric::NodeId from, fabric::NodeId to, std::uint64_t n) {
    stage_ = stage;
    owner_.env_.fabric.send(packet(*this, from, to, n, vc_comm));
  }
  void departing() override {
    if (stage_ != Stage::data) return;
    if (!taken_ && token_.nbytes != 0) owner_.env_.memory.read(token_.src_addr, bytes);
    owner_.env_.record(&Recorder::source_read, message_, std::span<const std::byte>(bytes),
                       owner_.env_.simulation.now());
    if (!taken_ && --owner_.unread_sources_[IpcqController::index(token_.src_direction)] == 0)
      owner_.source_read_.fire();
  }
  void arrived() override {
    Environment& env = owner_.env_;
    const MemoryPart& slot = env.memory.part(token_.dst_addr);
    switch (stage_) {
      case Stage::data:
        if (!slot.kind->in_pe) return fly(Stage::slot, to_->node_, slot.node, token_.nbytes);
        [[fallthrough]];
      case Stage::slot:
        // A completion entry is one more write, after the data's.
        return env.simulation.after(
            slot.write + (protocol() == Protocol::completion_queue ? env.spec.tcm.write : Time()), *this);
      case Stage::fence:
        fenced_ = true;
        if (fence_) fence_->wake();
        fence_ = nullptr;
        return;
      case Stage::doorbell:
        return env.simulation.after(env.spec.tcm.write, *this);
      case Stage::acknowledgement:
        owner_.idle_protocol_flights_.push_back(this);
    }
  }
  void timed() {
    Environment& env = owner_.env_;
    const MemoryPart& slot = env.memory.part(token_.dst_addr);
    if (protocol() == Protocol::doorbell && stage_ != Stage::doorbell) {
      if (!bytes.empty()) env.memory.write(token_.dst_addr, bytes);
      return fly(Stage::fence, slot.kind->in_pe ? to_->node_ : slot.node, owner_.node_, 0);
    }
    visible();
  }
  void visible() {
    if (--missing_ != 0) return;
    to_->deliver(token_, bytes);
    if (protocol() == Protocol::completion_queue)
      fly(Stage::acknowledgement, to_->node_, owner_.node_, acknowledgement_bytes);
    else
      owner_.idle_protocol_flights_.push_back(this);
  }

  IpcqController& owner_;
  IpcqController* to_ = nullptr;
  Descriptor descriptor_;
  sim::OwnWaiter* fence_ = nullptr;
  IpcqDmaToken token_;
  MessageKey message_;
  Stage stage_ = Stage::data;
  int missing_ = 0;
  bool taken_ = false, fenced_ = false;
};

}  // namespace tutti::device
