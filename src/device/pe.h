#pragma once
#include <array>
#include <string>
#include <vector>

#include "device/barrier.h"
#include "device/ipcq/controller.h"
#include "device/mmu.h"
#include "device/scheduler.h"
#include "device/statistics.h"
#include "sim/resource.h"

namespace tutti::device {

/// A processing element: what a kernel on it can do. Every call is awaited by the kernel's process; closed forms of
/// their times stand in docs/device.md and are tested in pe_test.cpp.
class Pe {
 public:
  Pe(Environment& env, std::int32_t index, PeId id);

  /// Sends `bytes` at `source` to the neighbour at `port`; 0 bytes are a signal. Waits for a free slot, not for
  /// delivery; the source is read when the first byte leaves. A source outside of the own TCM is fetched first.
  /// @throws IpcqInvalidDirection, IpcqSlotOverflow; ModelError  the source was never written.
  sim::Process<> send(Direction port, Address source, std::uint64_t bytes, Where where = Where::current()) {
    return ipcq_.send(port, source, bytes, where);
  }
  /// The next message of `port`, in order of sending. The slot stays the kernel's until it is released.
  sim::Process<ReceivedSlot> recv(Direction port, Where where = Where::current()) { return ipcq_.recv(port, where); }
  /// The same with the type of the elements: the receive throws IpcqTypeMismatch if type or number differ.
  sim::Process<> send_typed(Direction port, Address source, memory::DType dtype, std::int64_t elements,
                            Where where = Where::current());
  sim::Process<ReceivedSlot> recv_typed(Direction port, memory::DType dtype, std::int64_t elements,
                                        Where where = Where::current());
  /// A message of any port, in turn (IpcqConfig::fairness).
  sim::Process<ReceivedSlot> recv_any(Where where = Where::current()) { return ipcq_.recv(std::nullopt, where); }
  /// Posts a receive; `wait` takes its message. Several may be outstanding on a port: they are served in order.
  sim::Process<ReceiveTicket> recv_async(Direction port, Where where = Where::current()) {
    return ipcq_.recv_async(port, where);
  }
  sim::Process<ReceivedSlot> wait(ReceiveTicket ticket, Where where = Where::current()) {
    return ipcq_.wait(ticket, where);
  }
  /// One message of each of the ports, in their order; all receives are posted before the first is waited for.
  sim::Process<std::vector<ReceivedSlot>> recv_all(std::vector<Direction> ports, Where where = Where::current());
  /// Posts the receive, sends, then waits for the message.
  sim::Process<ReceivedSlot> send_recv(Direction to, Address source, std::uint64_t bytes, Direction from,
                                       Where where = Where::current());
  /// recv_mode copy_to_dst: copies the message to `destination` and gives the slot back. @return its size.
  /// @throws ModelError  more than `capacity` bytes came.
  sim::Process<std::uint64_t> recv_to(Direction port, Address destination, std::uint64_t capacity,
                                      Where where = Where::current());
  /// Gives the slot back. Waits until the credit is with the sender if credit_wait is blocking.
  sim::Process<> release(ReceivedSlot slot, Where where = Where::current()) { return ipcq_.release(slot, where); }
  void release_posted(const ReceivedSlot& slot) { ipcq_.release_posted(slot); }
  /// Whether recv(port) would not wait; how many sends would not.
  bool probe(Direction port) const { return ipcq_.queue_pair(port).can_receive(); }
  std::uint32_t credits(Direction port) const;
  bool has(Direction port) const { return ipcq_.has(port); }
  /// Waits until the source of everything sent at `port` has been read, and may be written.
  sim::Process<> left(Direction port, Where where = Where::current()) { return ipcq_.wait_left(port, where); }

  /// accumulator[i] = accumulator[i] op operand[i] on MATH. Operands outside of the own TCM come by DMA and go back by
  /// DMA. Inputs are read when MATH starts, the result is there when it ends.
  sim::Process<> reduce(memory::ReduceOp op, memory::DType dtype, Address accumulator, Address operand,
                        std::int64_t elements, Where where = Where::current());
  /// Copies between any two memories, the own TCM or by DMA on vc_compute; not posted.
  sim::Process<> copy(Address destination, Address source, std::uint64_t bytes, Where where = Where::current());
  /// Memory to own TCM, own TCM to memory.
  sim::Process<> load(Address tcm, Address source, std::uint64_t bytes, Where where = Where::current()) {
    return copy(tcm, source, bytes, where);
  }
  sim::Process<> store(Address destination, Address tcm, std::uint64_t bytes, Where where = Where::current()) {
    return copy(destination, tcm, bytes, where);
  }
  /// Starts a matrix product on GEMM and goes on at once; its operands are its own until wait_composite() returns.
  /// Operands outside of the own TCM come tile by tile on vc_compute. Takes the CPU dispatch time later, in the
  /// pipeline.
  std::uint64_t composite(const GemmCall& call, Where where = Where::current());
  /// Starts accumulator[i] = accumulator[i] op operand[i] on MATH and goes on at once. Both in the own TCM.
  std::uint64_t composite(memory::ReduceOp op, memory::DType dtype, Address accumulator, Address operand,
                          std::int64_t elements, Where where = Where::current());
  sim::Process<> wait_composite(std::uint64_t number, Where where = Where::current());
  const Scheduler& scheduler() const { return scheduler_; }
  /// Waits until every rank of the group has come. @throws ModelError  no group installed.
  sim::Process<> barrier(Where where = Where::current());

  /// The physical address behind a virtual one, after the look-up. @throws MmuError  see Mmu::translate.
  sim::Process<Address> translate(VirtAddr at, std::uint64_t bytes = 1);
  Mmu& mmu() { return mmu_; }

  /// Axis 0: PE in its cube, 1: cube in its SIP, 2: SIP.
  int program_id(int axis) const;

  PeId id() const { return id_; }
  std::int32_t index() const { return index_; }
  const std::string& name() const { return ipcq_.name(); }
  fabric::NodeId node() const { return node_; }
  bool in_tcm(Address address) const;
  IpcqController& ipcq() { return ipcq_; }
  const IpcqController& ipcq() const { return ipcq_; }
  const TimeUse& time() const { return time_; }
  const BlockedCall& blocked() const { return blocked_.call ? blocked_ : ipcq_.blocked(); }

  enum class Kernel : std::uint8_t { none, running, ended };
  Kernel kernel = Kernel::none;
  Time kernel_begin, kernel_end;
  Barrier* group_barrier = nullptr;
  std::int32_t rank = -1;  ///< in the group installed

 private:
  Environment& env_;
  std::int32_t index_;
  PeId id_;
  fabric::NodeId node_;
  TimeUse time_;
  IpcqController ipcq_;
  Scheduler scheduler_;
  Mmu mmu_;
  BlockedCall blocked_;
};

}  // namespace tutti::device
