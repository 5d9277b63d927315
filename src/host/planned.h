#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ccl/ccl_config.h"
#include "ccl/run_schedule.h"
#include "device/machine.h"
#include "host/reference.h"
#include "host/tensor.h"
#include "plan/schedule.h"

namespace tutti::host {

/// A schedule of the plan layer with the ports that lead its messages.
struct Planned {
  explicit Planned(plan::Schedule s) : schedule(std::move(s)), wiring(ccl::wire(schedule)) {}
  plan::Schedule schedule;
  ccl::Wiring wiring;
};

/// The schedule that ccl.yaml names, for `collective`. @pre config.is_plan().
/// @throws ConfigError  with the place in ccl.yaml: a number of ranks or parameters that the algorithm cannot serve.
plan::Schedule planned_schedule(const ccl::CclConfig& config, const plan::Collective& collective);

/// What the machine installs for a schedule: a queue pair for each peer and channel of each rank, in the order in which
/// steps first use them.
/// @throws ConfigError  hw_strict, and a rank needs more than the eight ports of the hardware.
device::GroupPlan group_plan(const ccl::CclConfig& config, const ccl::Wiring& wiring, std::vector<std::int32_t> pes);

/// The buffers of a schedule on the PEs of its ranks.
class PlanBuffers {
 public:
  /// Allocates. @throws ModelError  no room.
  PlanBuffers(device::Machine& machine, const std::vector<std::int32_t>& pes, const plan::Schedule& schedule,
              memory::DType dtype, device::BufferKind kind);
  void write_input(int rank, std::span<const std::byte> bytes);
  /// Only what Collective::expected defines; the rest is zeros.
  std::vector<std::byte> read_output(int rank) const;
  ccl::ScheduleArgs args(int rank, memory::ReduceOp op) const;

 private:
  struct Place {
    device::Address input = 0, output = 0, scratch = 0;
  };
  device::Address offset(std::int64_t elements) const;
  device::Machine* machine_;
  plan::Schedule schedule_;
  memory::DType dtype_;
  std::vector<Place> places_;
};

/// Seeded inputs of all ranks, as random_elements gives them.
Buffers random_inputs(const plan::Collective& collective, memory::DType dtype, std::uint64_t seed);

/// Checks outputs against what plan::Collective::expected says of them: sums in float64 within the bound of
/// verify_collective, everything else bit for bit.
Verification verify_planned(const plan::Collective& collective, memory::DType dtype, memory::ReduceOp op,
                            const Buffers& inputs, const Buffers& outputs);

}  // namespace tutti::host
