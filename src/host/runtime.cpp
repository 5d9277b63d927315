#include "host/runtime.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "host/group_plan.h"
#include "oplog/executor.h"

namespace tutti::host {

void Work::wait() {
  if (!is_completed()) runtime_->synchronize();
}
bool Work::is_completed() const { return number_ <= runtime_->completed_; }

Runtime::Runtime(const fabric::Topology& topology, const device::MachineSpec& spec, const fabric::FabricSpec& fabric)
    : machine_(nullptr), image_(oplog::empty_image()) {
  machine_ = std::make_unique<device::Machine>(simulation_, topology, spec, fabric);
}

void Runtime::init_process_group(std::string_view backend, const ccl::CclConfig& config, int world_size) {
  if (config.is_library())
    throw ConfigError(
        fmt::format("{}: error: {} is a shared library, and no file loads one: name it on the command line, "
                    "--kernel-library FILE",
                    config.module_place, config.library));
  init_process_group(backend, config, ccl::kernel(config.module), world_size);
}

void Runtime::init_process_group(std::string_view backend, const ccl::CclConfig& config, const ccl::Kernel& kernel,
                                 int world_size) {
  install(backend, config, kernel, group_plan(config, kernel, rank_pes(*machine_, config.queue.rank_unit, world_size)));
}

void Runtime::init_process_group(std::string_view backend, const ccl::CclConfig& config, plan::Schedule schedule) {
  planned_ = std::make_unique<const Planned>(std::move(schedule));
  const plan::Collective& c = planned_->schedule.collective;
  ccl::Kernel kernel;
  kernel.name = planned_->schedule.algorithm, kernel.topology = "none", kernel.collective = plan::name(c.kind);
  install(backend, config, kernel,
          group_plan(config, planned_->wiring, rank_pes(*machine_, config.queue.rank_unit, c.ranks)));
}

void Runtime::install(std::string_view backend, const ccl::CclConfig& config, const ccl::Kernel& kernel,
                      const device::GroupPlan& plan) {
  if (backend != "ahbm") throw ConfigError(fmt::format("error: unknown backend '{}'; known: ahbm", backend));
  if (!pes_.empty()) throw ModelError("the process group is there already");
  try {
    machine_->install(plan);
  } catch (const ModelError& e) {
    throw ConfigError(fmt::format("{}: error: {}", config.queue_place, e.what()));
  }
  config_ = config, kernel_ = kernel, pes_ = plan.pes;
  for (const std::int32_t pe : pes_) endpoints_.push_back(std::make_unique<PeEndpoint>(*machine_, machine_->pe(pe)));
}

void Runtime::need_group() const {
  if (pes_.empty()) throw ModelError("there is no process group: call init_process_group first");
}

Tensor Runtime::empty(std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& dp,
                      device::BufferKind kind) {
  return Tensor(*machine_, std::move(shape), dtype, dp, kind);
}
Tensor Runtime::zeros(std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& dp,
                      device::BufferKind kind) {
  Tensor t = empty(std::move(shape), dtype, dp, kind);
  for (const auto& s : t.shards())
    t.write(s.pe, std::vector<std::byte>(static_cast<std::size_t>(t.elements(s.pe) * memory::size_of(dtype))));
  return t;
}
Tensor Runtime::tensor(std::span<const std::byte> data, std::vector<std::int64_t> shape, memory::DType dtype,
                       const DPPolicy& dp, device::BufferKind kind) {
  Tensor t = empty(std::move(shape), dtype, dp, kind);
  t.fill(data);
  return t;
}

Work Runtime::launch(const std::string& name, ccl::KernelFunction kernel, const Tensor& tensor, const Arguments& more) {
  need_group();
  if (!kernel) throw ModelError(fmt::format("launch of {}: no kernel", name));
  if (completed_ < launched_) synchronize();  // one after the other on each PE, as in a stream
  for (int r = 0; r < world_size(); ++r) {
    const std::int32_t pe = pe_of(r);
    ccl::KernelArgs args;
    args.tensor = tensor.on(pe).address;
    args.elements = tensor.elements(pe);
    args.dtype = tensor.dtype();
    args.rank = r;
    args.world_size = world_size();
    args.grid = ccl::grid_of(config_.topology.empty() ? kernel_.topology : std::string_view(config_.topology),
                             world_size(), config_.queue.grid);
    if (more) more(r, args);
    machine_->launch(pe, kernel(*endpoints_[static_cast<std::size_t>(r)], args));
  }
  return Work(*this, ++launched_);
}

Work Runtime::all_reduce(const Tensor& tensor, memory::ReduceOp op) {
  need_group();
  if (kernel_.collective != "all_reduce")
    throw ConfigError(fmt::format("{}: error: algorithm {} is no all_reduce but {}", config_.algorithm_place,
                                  config_.algorithm, kernel_.collective));
  return run_algorithm(tensor, op);
}

Work Runtime::run_algorithm(const Tensor& tensor, memory::ReduceOp op, int root, const Tensor* output) {
  need_group();
  std::optional<Tensor> scratch;
  if (kernel_.scratch) {
    ccl::KernelArgs args;
    args.elements = tensor.elements(pe_of(0));
    args.dtype = tensor.dtype();
    args.world_size = world_size();
    const std::int64_t bytes = kernel_.scratch(args, config_.queue.n_slots, config_.queue.slot_size);
    scratch = empty({bytes}, memory::DType::i8);
  }
  return launch(config_.algorithm, kernel_.run, tensor, [&](int r, ccl::KernelArgs& args) {
    args.op = op;
    args.root = root;
    if (scratch) args.scratch = scratch->on(pe_of(r)).address;
    if (output) args.output = output->on(pe_of(r)).address;
  });
}

PlanBuffers Runtime::plan_buffers(memory::DType dtype, device::BufferKind kind) {
  CHECK(planned_, "the group was made with a kernel");
  return PlanBuffers(*machine_, pes_, planned_->schedule, dtype, kind);
}

Work Runtime::run_schedule(const PlanBuffers& buffers, memory::ReduceOp op) {
  CHECK(planned_, "the group was made with a kernel");
  if (completed_ < launched_) synchronize();
  for (int r = 0; r < world_size(); ++r)
    machine_->launch(pe_of(r),
                     ccl::run_schedule(simulation_, *endpoints_[static_cast<std::size_t>(r)], planned_->schedule,
                                       planned_->wiring, buffers.args(r, op)),
                     true);
  return Work(*this, ++launched_);
}

namespace {
sim::Process<> only_barrier(ccl::Endpoint& tl, ccl::KernelArgs) { return tl.barrier(); }
}  // namespace

Work Runtime::barrier() {
  const Tensor nothing = empty({0}, memory::DType::i8);
  return launch("barrier", only_barrier, nothing);
}

void Runtime::synchronize() {
  if (completed_ == launched_) return;
  machine_->run();
  completed_ = launched_;
}

void Runtime::record() {
  need_group();
  CHECK(!recorder_ && completed_ == launched_, "record() comes once, while nothing runs");
  machine_->memory().map().each_written(
      [this](std::uint64_t address, std::span<const std::byte> bytes) { image_.write(address, bytes); });
  recorder_ = std::make_unique<OpRecorder>(*machine_, config_.queue.n_slots);
  machine_->listen(*recorder_);
}

std::optional<std::string> Runtime::replay_difference() const {
  CHECK(recorder_ && completed_ == launched_, "a replay needs record() before and the end of what was launched");
  memory::Space image = oplog::empty_image();
  image_.each_written(
      [&image](std::uint64_t address, std::span<const std::byte> bytes) { image.write(address, bytes); });
  auto difference = oplog::replay(recorder_->log(), image);
  if (!difference)
    difference = oplog::compare(
        image, [this](std::uint64_t address, std::span<std::byte> out) { machine_->memory().read(address, out); });
  return difference ? std::optional(difference->what) : std::nullopt;
}

}  // namespace tutti::host
