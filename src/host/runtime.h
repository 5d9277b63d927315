#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ccl/ccl_config.h"
#include "ccl/kernel.h"
#include "device/machine.h"
#include "host/op_recorder.h"
#include "host/pe_endpoint.h"
#include "host/planned.h"
#include "host/tensor.h"
#include "memory/store.h"
#include "sim/simulation.h"

namespace tutti::host {

class Runtime;

/// An operation that was launched; the machine works on it when somebody waits.
class Work {
 public:
  /// Runs until all ranks have ended. @throws DeadlockError, ModelError, ViolationError  from the machine or a kernel.
  void wait();
  bool is_completed() const;

 private:
  friend class Runtime;
  Work(Runtime& runtime, std::uint64_t number) : runtime_(&runtime), number_(number) {}
  Runtime* runtime_;
  std::uint64_t number_;
};

/// What a host program sees of a machine, in the shape of torch and torch.distributed. A host program names neither
/// queues nor algorithms: init_process_group reads both from ccl.yaml, and installs the queues at once.
///
///     Runtime torch(topology);
///     torch.init_process_group("ahbm", read_ccl_config("ccl.yaml"));
///     Tensor t = torch.zeros({32768}, DType::f16);
///     torch.all_reduce(t).wait();
///     t.data();
///
/// Source: ADR-0023 D10; spec 3.6.
class Runtime {
 public:
  explicit Runtime(const fabric::Topology& topology, const device::MachineSpec& spec = {},
                   const fabric::FabricSpec& fabric = {});

  /// @param backend     "ahbm" is the only one.
  /// @param world_size  0: every rank that the machine has (ccl.yaml rank_unit).
  /// @throws ConfigError  F4 of ADR-0023, with the place in ccl.yaml.
  void init_process_group(std::string_view backend, const ccl::CclConfig& config, int world_size = 0);
  /// The same with a kernel that is not in this program's list.
  void init_process_group(std::string_view backend, const ccl::CclConfig& config, const ccl::Kernel& kernel,
                          int world_size = 0);
  /// The same with a schedule of the plan layer, whose ranks are all of the group.
  void init_process_group(std::string_view backend, const ccl::CclConfig& config, plan::Schedule schedule);
  int world_size() const { return static_cast<int>(pes_.size()); }
  /// The PE of a rank.
  std::int32_t pe_of(int rank) const { return pes_[static_cast<std::size_t>(rank)]; }

  Tensor zeros(std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& dp = {},
               device::BufferKind kind = device::BufferKind::tcm);
  /// Elements from the host, row by row, the same on every SIP.
  Tensor tensor(std::span<const std::byte> data, std::vector<std::int64_t> shape, memory::DType dtype,
                const DPPolicy& dp = {}, device::BufferKind kind = device::BufferKind::tcm);
  /// Allocates and writes nothing.
  Tensor empty(std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& dp = {},
               device::BufferKind kind = device::BufferKind::tcm);

  /// Runs a kernel on every rank; each gets the address of its shard of `tensor`, its rank and the number of ranks.
  /// @param more  changes the arguments of a rank, for kernels that take others too.
  using Arguments = std::function<void(int rank, ccl::KernelArgs& args)>;
  Work launch(const std::string& name, ccl::KernelFunction kernel, const Tensor& tensor, const Arguments& more = {});
  /// The algorithm of ccl.yaml, whose collective must be an all_reduce. In place.
  Work all_reduce(const Tensor& tensor, memory::ReduceOp op = memory::ReduceOp::sum);
  /// The algorithm of ccl.yaml, whatever it does. all_to_all: the result is in `output`.
  Work run_algorithm(const Tensor& tensor, memory::ReduceOp op = memory::ReduceOp::sum, int root = 0,
                     const Tensor* output = nullptr);
  /// Runs the schedule that the group was made with. @pre `buffers` are of that schedule.
  Work run_schedule(const PlanBuffers& buffers, memory::ReduceOp op = memory::ReduceOp::sum);
  PlanBuffers plan_buffers(memory::DType dtype, device::BufferKind kind = device::BufferKind::tcm);
  /// Null: the group was made with a kernel.
  const Planned* planned() const { return planned_.get(); }
  Work barrier();
  /// Waits for everything launched.
  void synchronize();

  /// From now on operations are logged, for verify_replay().
  void record();
  /// Does everything logged again, without time, from the bytes that were in memory when record() was called, and
  /// compares. Empty if all is equal; else the first difference. @pre record() was called, nothing runs.
  std::optional<std::string> replay_difference() const;
  const oplog::Log* log() const { return recorder_ ? &recorder_->log() : nullptr; }

  device::Machine& machine() { return *machine_; }
  sim::Simulation& simulation() { return simulation_; }
  const ccl::CclConfig& config() const { return config_; }
  const ccl::Kernel& algorithm() const { return kernel_; }

 private:
  friend class Work;
  void need_group() const;
  void install(std::string_view backend, const ccl::CclConfig& config, const ccl::Kernel& kernel,
               const device::GroupPlan& plan);

  std::unique_ptr<device::Machine> machine_;  // outlives the processes that the simulation destroys
  std::vector<std::unique_ptr<PeEndpoint>> endpoints_;
  std::unique_ptr<OpRecorder> recorder_;
  ccl::CclConfig config_;
  ccl::Kernel kernel_;
  std::unique_ptr<const Planned> planned_;
  std::vector<std::int32_t> pes_;
  memory::Space image_;  ///< what memory held when record() was called
  std::uint64_t launched_ = 0, completed_ = 0;
  sim::Simulation simulation_;
};

}  // namespace tutti::host
