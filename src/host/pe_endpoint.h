#pragma once
#include <vector>

#include "ccl/endpoint.h"
#include "device/machine.h"

namespace tutti::host {

/// What a kernel sees of the PE that it runs on. @pre a process group is installed on the PE.
class PeEndpoint final : public ccl::Endpoint {
 public:
  PeEndpoint(device::Machine& machine, device::Pe& pe);
  using ccl::Endpoint::wait;

  sim::Process<> send(ccl::Port port, ccl::Address source, Bytes size, ccl::Where where) override;
  sim::Process<> release(ccl::Slot slot, ccl::Where where) override;
  void release_posted(const ccl::Slot& slot) noexcept override;
  sim::Process<> left(ccl::Port port, ccl::Where where) override;
  bool probe(ccl::Port port) const override;
  std::uint32_t credits(ccl::Port port) const override;
  bool has(ccl::Port port) const override;
  std::uint32_t n_slots(ccl::Port port) const override;
  Bytes slot_size(ccl::Port port) const override;
  sim::Process<> reduce(memory::ReduceOp op, memory::DType t, ccl::Address accumulator, ccl::Address operand,
                        std::int64_t elements, ccl::Where where) override;
  sim::Process<> copy(ccl::Address destination, ccl::Address source, Bytes size, ccl::Where where) override;
  ccl::Pending composite(const ccl::Gemm& gemm, ccl::Where where) override;
  sim::Process<> wait(ccl::Pending pending, ccl::Where where) override;
  sim::Process<> barrier(ccl::Where where) override;
  int program_id(int axis) const override;
  int num_programs(int axis) const override;

 protected:
  sim::Process<ccl::Slot> receive(ccl::Port port, ccl::Where where) override;
  sim::Process<ccl::Slot> receive_any(ccl::Where where) override;
  [[noreturn]] void misused(const std::string& what) const override;

 private:
  ccl::Slot keep(const device::ReceivedSlot& slot);
  device::ReceivedSlot& kept(const ccl::Slot& slot);

  device::Machine& machine_;
  device::Pe& pe_;
  /// Slots that the kernel holds, by port and sequence modulo n_slots.
  std::vector<std::vector<device::ReceivedSlot>> held_;
};

}  // namespace tutti::host
