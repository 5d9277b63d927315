#include "app/python/session.h"

#include <fmt/format.h>

#include "base/config.h"
#include "base/error.h"
#include "device/machine_yaml.h"
#include "fabric/defaults.h"
#include "host/group_plan.h"

namespace tutti::python {

Session::Session(const std::string& topology, const std::string& ccl, const std::vector<std::string>& set) {
  ConfigOverlay overlay;
  for (const std::string& s : set) overlay.add(s);
  const std::string defaults(fabric::default_file("topology.yaml").text);
  Config config = topology.empty() ? Config::built_in(defaults, "topology.yaml") : Config::file(topology);
  if (!topology.empty()) config.add_defaults(defaults, "topology.yaml");
  config.apply(overlay);
  const device::MachineConfig machine = device::read_machine(config.root());
  config.finish();
  config_ = ccl::read_ccl_config(ccl, overlay, ccl::Modules::any);
  overlay.finish();
  runtime_ =
      std::make_unique<host::Runtime>(machine.topology, machine.spec, host::fabric_for(machine.fabric, config_.queue));
}

Session::~Session() {
  for (KernelProcess& k : processes_)
    for (auto& [id, slot] : k.slots) slot.forget();  // of a run that did not end
}

void Session::init_process_group(const std::string& backend, int world_size, const py::object& neighbors) {
  ccl::Kernel kernel{"python", "none", run_kernel};
  if (const ccl::Kernel* known = ccl::kernels().find(config_.module)) kernel = *known;
  if (!neighbors.is_none())
    kernel.neighbors = [neighbors](int rank, int ranks, ccl::Neighbors& all) {
      py::dict map;
      for (std::size_t p = 0; p < ccl::max_ports; ++p)
        if (all[p]) map[py::str(std::string(ccl::port_names[p]))] = *all[p];
      const py::object changed = neighbors(rank, ranks, map);
      if (!changed.is_none()) map = changed.cast<py::dict>();
      all = {};
      for (const auto& [name, peer] : map) {
        const int other = peer.cast<int>();
        if (other < 0 || other >= ranks)
          throw ConfigError(fmt::format("error: neighbors of rank {}: {} is no rank", rank, other));
        all[ccl::index(port(name.cast<std::string>()))] = other;
      }
    };
  runtime_->init_process_group(backend, config_, kernel, world_size);
}

std::size_t Session::tensor(const std::vector<std::int64_t>& shape, const std::string& type, const host::DPPolicy& dp,
                            const std::string& kind, const py::bytes& data) {
  const auto memory = kind == "hbm"    ? device::BufferKind::hbm
                      : kind == "sram" ? device::BufferKind::sram
                                       : device::BufferKind::tcm;
  const std::string_view bytes = data;
  tensors_.push_back(
      runtime_->tensor(std::as_bytes(std::span(bytes.data(), bytes.size())), shape, dtype(type), dp, memory));
  return tensors_.size() - 1;
}
namespace {
py::bytes as_bytes(const std::vector<std::byte>& b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }
}  // namespace
py::bytes Session::data(std::size_t tensor, unsigned sip) const { return as_bytes(tensors_.at(tensor).data(sip)); }
py::bytes Session::shard(std::size_t tensor, int rank) const {
  return as_bytes(tensors_.at(tensor).read(runtime_->pe_of(rank)));
}
void Session::write_shard(std::size_t tensor, int rank, const py::bytes& data) {
  const std::string_view bytes = data;
  tensors_.at(tensor).write(runtime_->pe_of(rank), std::as_bytes(std::span(bytes.data(), bytes.size())));
}
py::tuple Session::pointer(std::size_t tensor, int rank) const {
  const host::Tensor& t = tensors_.at(tensor);
  const auto& shard = t.on(runtime_->pe_of(rank));
  return py::make_tuple(shard.address, t.elements(shard.pe), shard.block.rows, shard.block.columns);
}

void Session::launch(const std::string& name, const std::vector<py::tuple>& kernels, std::size_t tensor) {
  synchronize();
  current_.clear();
  for (const py::tuple& k : kernels) {
    KernelProcess& one = processes_.emplace_back();
    one.resume = k[0], one.fail = k[1], one.places = &places_;
    current_.push_back(&one);
  }
  runtime_->launch(name, run_kernel, tensors_.at(tensor),
                   [this](int r, ccl::KernelArgs& args) { args.context = current_[static_cast<std::size_t>(r)]; });
}

void Session::launch_built_in(const std::string& name, std::size_t tensor, const std::string& op, int root) {
  const memory::ReduceOp reduce = reduction(op);
  synchronize();
  current_.clear();
  if (name == config_.module)
    runtime_->run_algorithm(tensors_.at(tensor), reduce, root);
  else
    runtime_->launch(name, ccl::kernel(name).run, tensors_.at(tensor),
                     [&](int, ccl::KernelArgs& args) { args.op = reduce, args.root = root; });
}

void Session::synchronize() { runtime_->synchronize(); }

std::vector<py::object> Session::finish_ps() const {
  std::vector<py::object> all;
  for (int r = 0; r < world_size(); ++r) {
    const device::Pe& pe = runtime_->machine().pe(runtime_->pe_of(r));
    all.push_back(pe.kernel == device::Pe::Kernel::ended ? py::object(py::int_((pe.kernel_end - pe.kernel_begin).ps()))
                                                         : py::object(py::none()));
  }
  return all;
}

py::list Session::log() const {
  py::list all;
  if (!runtime_->log()) return all;
  const oplog::Log& log = *runtime_->log();
  for (oplog::OpId id = 0; id < log.size(); ++id) {
    const oplog::Op& op = log[id];
    all.append(py::make_tuple(runtime_->machine().pe(static_cast<std::int32_t>(op.rank)).rank,
                              std::string(oplog::to_string(op.name)),
                              std::string(ccl::port_names[op.port % ccl::max_ports]), op.size, op.start.ps()));
  }
  return all;
}

int Session::program(int rank, int axis) const {
  return runtime_->machine().pe(runtime_->pe_of(rank)).program_id(axis);
}

}  // namespace tutti::python
