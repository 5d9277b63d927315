#pragma once
#include <vector>

#include "device/machine.h"
#include "oplog/log.h"

namespace tutti::host {

/// Writes what a machine does into an operation log. Ranks of the log are indices of PEs.
class OpRecorder final : public device::Recorder {
 public:
  /// @param n_slots  of every ring: how many sends to a ring can be on their way.
  OpRecorder(device::Machine& machine, std::uint32_t n_slots);

  void send_issued(const device::SendRecord& r, Time t) override;
  void received(const device::ReceiveRecord& r, Time t) override;
  void released(const device::MessageKey& key, Time t) override;
  void reduced(const device::ReduceRecord& r, Time begin, Time end) override;
  void gemm_started(const device::GemmRecord& r, std::uint64_t number, Time t) override;
  void copied(const device::CopyRecord& r, Time begin, Time end) override;

  const oplog::Log& log() const { return log_; }

 private:
  oplog::OpId& send_of(const device::MessageKey& key) {
    auto& of_pe = sends_[static_cast<std::size_t>(key.pe)];
    if (of_pe.size() <= static_cast<std::size_t>(key.port)) of_pe.resize(static_cast<std::size_t>(key.port) + 1);
    auto& ring = of_pe[static_cast<std::size_t>(key.port)];
    if (ring.empty()) ring.resize(n_slots_);
    return ring[key.sequence % n_slots_];
  }

  device::Machine& machine_;
  std::uint32_t n_slots_;
  oplog::Log log_;
  std::vector<std::vector<std::vector<oplog::OpId>>> sends_;  ///< by PE, by port, then by sequence modulo n_slots
  std::vector<std::byte> bytes_;
};

}  // namespace tutti::host
