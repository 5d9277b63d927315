#pragma once
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/python/kernel_process.h"
#include "host/runtime.h"

namespace tutti::python {

/// A machine and its process group, as the package `tutti` drives them.
class Session {
 public:
  /// @param set  assignments to either file, as those of `tutti run --set`.
  Session(const std::string& topology, const std::string& ccl, const std::vector<std::string>& set);
  ~Session();
  Session(const Session&) = delete;

  const ccl::CclConfig& config() const { return config_; }
  /// @param neighbors  None, or hook(rank, world_size, map) of the algorithm's module.
  void init_process_group(const std::string& backend, int world_size, const py::object& neighbors);
  int world_size() const { return runtime_->world_size(); }
  std::size_t tensor(const std::vector<std::int64_t>& shape, const std::string& dtype, const host::DPPolicy& dp,
                     const std::string& kind, const py::bytes& data);
  py::bytes data(std::size_t tensor, unsigned sip) const;
  py::bytes shard(std::size_t tensor, int rank) const;
  void write_shard(std::size_t tensor, int rank, const py::bytes& data);
  /// Address, elements and shape of a rank's shard.
  py::tuple pointer(std::size_t tensor, int rank) const;

  /// Starts a Python kernel on every rank: `kernels[rank]` is (resume, fail). @return the processes, for `process`.
  void launch(const std::string& name, const std::vector<py::tuple>& kernels, std::size_t tensor);
  /// Starts the C++ kernel of that name.
  void launch_built_in(const std::string& name, std::size_t tensor, const std::string& op, int root);
  void synchronize();
  KernelProcess& process(int rank) { return *current_.at(static_cast<std::size_t>(rank)); }
  /// Of every rank: ns from start to end of its last kernel, exact to the picosecond; None where it has not ended.
  std::vector<py::object> finish_ps() const;
  void record() { runtime_->record(); }
  std::optional<std::string> replay_difference() const { return runtime_->replay_difference(); }
  /// (rank, name, port, bytes, start in ps) of every operation of a queue; @pre record().
  py::list log() const;
  std::uint64_t events() const { return runtime_->simulation().events(); }
  std::string pointers() const { return runtime_->machine().pointer_dump(); }
  int program(int rank, int axis) const;
  int programs(int axis) const { return runtime_->machine().num_programs(axis); }

 private:
  Places places_;
  std::list<KernelProcess> processes_;  ///< outlive the coroutines that refer to them
  std::vector<KernelProcess*> current_;
  ccl::CclConfig config_;
  std::unique_ptr<host::Runtime> runtime_;
  std::vector<host::Tensor> tensors_;
};

}  // namespace tutti::python
