#pragma once
#include <cstdint>
#include <span>

#include "base/units.h"
#include "device/ipcq/direction.h"
#include "device/memory_system.h"
#include "memory/dtype.h"
#include "memory/reduce.h"
#include "sim/wait.h"

namespace tutti::device {

using sim::Where;

/// A message by the ring that it goes into: sequence counts the messages of that port from the first.
struct MessageKey {
  std::int32_t pe = 0;  ///< receiver
  Direction port{};     ///< of the receiver
  std::uint64_t sequence = 0;
  auto operator<=>(const MessageKey&) const = default;
};

struct SendRecord {
  MessageKey message;
  std::int32_t pe;  ///< sender
  Direction port;   ///< of the sender
  Address source, slot;
  std::uint64_t bytes;
  Where where;
};
struct ReceiveRecord {
  MessageKey message;
  Address slot;
  std::uint64_t bytes;
  Where where;
};
struct ReduceRecord {
  std::int32_t pe;
  memory::ReduceOp op;
  memory::DType dtype;
  Address accumulator, operand;
  std::int64_t elements;
  Where where;
};
struct GemmRecord {
  std::int32_t pe;
  memory::DType dtype;
  Address a, b, c;
  std::int64_t m, n, k;
  bool accumulate;
  Where where;
};
struct CopyRecord {
  std::int32_t pe;
  Address destination, source;
  std::uint64_t bytes;
  Where where;
};

/// Listens to a machine: what was done to which bytes, in the order in which it happens. Each operation is reported
/// once a stage; the model does nothing for it when nobody listens. A call must not change the model.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A send took a slot, in program order of its PE.
  virtual void send_issued(const SendRecord&, Time) {}
  /// Its first byte left: `bytes` is the snapshot of the source that travels.
  virtual void source_read(const MessageKey&, std::span<const std::byte>, Time) {}
  /// Bytes and metadata became visible at the receiver.
  virtual void slot_written(const MessageKey&, Time) {}
  virtual void received(const ReceiveRecord&, Time) {}
  /// The kernel gave the slot back.
  virtual void released(const MessageKey&, Time) {}
  /// The sender learned that every message before `first_held.sequence` has been released.
  virtual void credited(const MessageKey& /*first_held*/, Time) {}
  virtual void reduced(const ReduceRecord&, Time /*begin*/, Time /*end*/) {}
  /// A composite was started: from here on its operands are its own, until it has ended.
  virtual void gemm_started(const GemmRecord&, std::uint64_t /*number*/, Time) {}
  virtual void gemm_ended(const GemmRecord&, std::uint64_t /*number*/, Time) {}
  /// The kernel has waited for the end of its composite.
  virtual void composite_waited(std::int32_t /*pe*/, std::uint64_t /*number*/, Time) {}
  virtual void copied(const CopyRecord&, Time /*begin*/, Time /*end*/) {}
  /// Every PE of the group has entered its barrier number `count`.
  virtual void barrier_passed(std::uint64_t /*count*/, Time) {}
};

}  // namespace tutti::device
