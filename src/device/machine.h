#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "device/group.h"
#include "device/pe.h"
#include "fabric/topology.h"

namespace tutti::device {

/// A deadlock that the wait-for graph showed, with the names of the processes of its cycle in order.
class Deadlocked : public DeadlockError {
 public:
  Deadlocked(const std::string& what, std::vector<std::string> cycle) : DeadlockError(what), cycle_(std::move(cycle)) {}
  const std::vector<std::string>& cycle() const { return cycle_; }

 private:
  std::vector<std::string> cycle_;
};

/// A machine of PEs: fabric, memories, PEs, in order of SIP, cube, PE. Build it, install a process group, launch
/// kernels, run. It must outlive every process that was launched on it: declare a holder of it before the Simulation.
class Machine {
 public:
  /// @throws ConfigError  see fabric::build and fabric::Fabric.
  Machine(sim::Simulation& simulation, const fabric::Topology& topology, const MachineSpec& spec = {},
          const fabric::FabricSpec& fabric = {});
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::int32_t size() const { return static_cast<std::int32_t>(pes_.size()); }
  Pe& pe(std::int32_t index) { return *pes_[static_cast<std::size_t>(index)]; }
  const Pe& pe(std::int32_t index) const { return *pes_[static_cast<std::size_t>(index)]; }
  const std::vector<PeId>& ids() const { return ids_; }
  /// Number of PEs in a cube, cubes in a SIP, SIPs.
  int num_programs(int axis) const;
  MemorySystem& memory() { return memory_; }
  fabric::Fabric& fabric() { return fabric_; }
  const MachineSpec& spec() const { return spec_; }
  /// A range for a tensor in the memory of `kind` that belongs to PE `index` (its cube's SRAM), 64 B aligned.
  /// @throws ModelError  full.
  Address allocate(BufferKind kind, std::int32_t index, std::uint64_t bytes);

  /// Places all rings, builds all tables, checks them (I3, I4, I10), installs. Takes no simulated time.
  /// @throws ModelError  see build_tables, check_tables; IpcqRegionOverflow.
  void install(const GroupPlan& plan);
  /// The last step of install() alone, for tables from elsewhere.
  void install(const std::vector<std::int32_t>& pes, const std::vector<IpcqInitMsg>& tables, const IpcqConfig& config);

  /// From now on. @pre it outlives the run.
  void inject(Faults& faults) { environment_.faults = &faults; }
  void listen(Recorder& recorder) { environment_.recorders.push_back(&recorder); }
  /// Starts `kernel` on a PE, one at a time.
  /// @param spawns  the kernel lets processes of its own send and receive for it.
  void launch(std::int32_t index, sim::Process<> kernel, bool spawns = false);
  /// Runs to the end. @throws DeadlockError  a kernel can never go on: names each blocked call with its source line,
  /// its queue pair's pointers and its peer, the cycle if there is one, and where the ranks' programs part. In the
  /// instant of the event that makes it so (IpcqConfig::live_deadlock), also while other kernels still run.
  /// @throws IpcqLeak  slots left in use. ViolationError  a credit that never arrived.
  void run();

  /// Pointers of every queue pair, a line each.
  std::string pointer_dump() const;
  /// What run() says of a dead run.
  std::string deadlock_report() const { return deadlock_report({}); }

 private:
  /// @param alive  blocked kernels that can still go on, by name.
  std::string deadlock_report(const std::vector<std::string>& alive) const;
  void run_events();
  void check_end() const;
  sim::Process<> supervise(std::int32_t index, sim::Process<> kernel);
  static std::vector<PeId> list_pes(const fabric::Topology& topology);

  sim::Simulation& simulation_;
  fabric::Graph graph_;
  MachineSpec spec_;
  std::vector<PeId> ids_;
  std::array<int, 3> extent_;
  fabric::Fabric fabric_;
  MemorySystem memory_;
  Environment environment_;
  FlightClient client_;
  std::vector<std::unique_ptr<Pe>> pes_;
  std::vector<std::unique_ptr<Barrier>> barriers_;
  bool live_deadlock_ = true;
  Time deadlock_timeout_ = Time::max();
};

}  // namespace tutti::device
