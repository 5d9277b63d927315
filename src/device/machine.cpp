#include "device/machine.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "device/hw_strict.h"
#include "device/ipcq/errors.h"
#include "diag/deadlock.h"

namespace tutti::device {

std::vector<PeId> Machine::list_pes(const fabric::Topology& t) {
  std::vector<PeId> ids;
  for (std::uint32_t sip = 0; sip < static_cast<std::uint32_t>(t.sips); ++sip)
    for (std::uint32_t cube = 0; cube < static_cast<std::uint32_t>(t.cube_rows * t.cube_columns); ++cube)
      for (std::uint32_t pe = 0; pe < t.pes.size(); ++pe) ids.push_back({sip, cube, pe});
  return ids;
}

Machine::Machine(sim::Simulation& simulation, const fabric::Topology& t, const MachineSpec& spec,
                 const fabric::FabricSpec& fabric_spec)
    : simulation_(simulation),
      graph_(fabric::build(t)),
      spec_(spec),
      ids_(list_pes(t)),
      extent_{static_cast<int>(t.pes.size()), t.cube_rows * t.cube_columns, t.sips},
      fabric_(simulation, graph_, fabric_spec),
      memory_(spec_, graph_, ids_, static_cast<unsigned>(t.cube_rows * t.cube_columns),
              static_cast<unsigned>(t.pes.size())),
      environment_{simulation, fabric_, memory_, spec_, {}} {
  for (fabric::NodeId n = 0; n < graph_.nodes().size(); ++n) {
    const std::string& kind = graph_.nodes()[n].kind;
    if (kind == "pe_dma" || kind == "hbm" || kind == "sram") fabric_.attach(n, client_);
  }
  pes_.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i)
    pes_.push_back(std::make_unique<Pe>(environment_, static_cast<std::int32_t>(i), ids_[i]));
}

int Machine::num_programs(int axis) const {
  if (axis < 0 || axis > 2) throw ModelError("num_programs: axis is 0 (PE), 1 (cube) or 2 (SIP)");
  return extent_[static_cast<std::size_t>(axis)];
}

Address Machine::allocate(BufferKind kind, std::int32_t index, std::uint64_t bytes) {
  return memory_.map().allocate(memory_kind(kind).space, ids_[static_cast<std::size_t>(index)], bytes).encode();
}

void Machine::install(const GroupPlan& plan) {
  install(plan.pes, build_tables(memory_.map(), ids_, plan), plan.config);
}

void Machine::install(const std::vector<std::int32_t>& pes, const std::vector<IpcqInitMsg>& tables,
                      const IpcqConfig& config) {
  if (config.hw_strict) check_hw_strict(config);
  const auto ports = check_tables(ids_, pes, tables);
  std::vector<Barrier::Member> nodes;
  live_deadlock_ = config.live_deadlock, deadlock_timeout_ = config.deadlock_timeout;
  for (std::size_t rank = 0; rank < pes.size(); ++rank) {
    std::vector<std::optional<Wiring>> wiring(max_ports);
    for (const PortPlan& p : ports[rank]) {
      if (static_cast<std::size_t>(p.direction) >= wiring.size())
        wiring.resize(static_cast<std::size_t>(p.direction) + 1);
      const std::int32_t peer = pes[static_cast<std::size_t>(p.peer)];
      wiring[static_cast<std::size_t>(p.direction)] =
          Wiring{&pe(peer).ipcq(), peer, p.peer_direction, p.sends, p.receives};
    }
    pe(pes[rank]).ipcq().install(tables[rank], config, std::move(wiring));
    nodes.push_back({pe(pes[rank]).node(), &pe(pes[rank]).ipcq()});
  }
  barriers_.push_back(std::make_unique<Barrier>(environment_, nodes));
  for (std::size_t rank = 0; rank < pes.size(); ++rank) {
    pe(pes[rank]).group_barrier = barriers_.back().get();
    pe(pes[rank]).rank = static_cast<std::int32_t>(rank);
  }
}

sim::Process<> Machine::supervise(std::int32_t index, sim::Process<> kernel) {
  Pe& p = pe(index);
  p.kernel = Pe::Kernel::running;
  p.ipcq().begin_kernel();
  p.kernel_begin = simulation_.now();
  co_await kernel;
  p.ipcq().end_program();
  p.kernel = Pe::Kernel::ended;
  p.kernel_end = simulation_.now();
  p.ipcq().flush_credits();
}

void Machine::launch(std::int32_t index, sim::Process<> kernel, bool spawns) {
  CHECK(pe(index).kernel != Pe::Kernel::running, pe(index).name() + " runs a kernel already");
  pe(index).ipcq().runs(simulation_.spawn(supervise(index, std::move(kernel)), sim::Name(pe(index).name())), spawns);
}

void Machine::run_events() {
  if (deadlock_timeout_ == Time::max()) return simulation_.run_before(Time::max());
  while (!simulation_.idle()) {
    simulation_.run_before(simulation_.next_event_time() + deadlock_timeout_);
    for (const auto& p : pes_)
      if (p->kernel == Pe::Kernel::running && p->blocked().call &&
          simulation_.now() - p->blocked().since >= deadlock_timeout_)
        throw DeadlockError(fmt::format("timeout: {} has waited for {} (deadlock.timeout_ns)\n{}", p->name(),
                                        to_string(simulation_.now() - p->blocked().since), deadlock_report()));
  }
}

void Machine::run() {
  std::optional<diag::DeadlockDetector> detector;
  if (live_deadlock_) detector.emplace(simulation_);
  try {
    run_events();
  } catch (const diag::Deadlock& d) {
    std::vector<std::string> alive;
    for (const auto& process : d.graph().processes)
      if (!process.dead) alive.push_back(process.name);
    throw Deadlocked(deadlock_report(alive), d.graph().cycle_names());
  }
  for (const auto& p : pes_)
    if (p->kernel == Pe::Kernel::running) throw DeadlockError(deadlock_report());
  simulation_.run();
  check_end();
}

void Machine::check_end() const {
  std::string leaks;
  for (const auto& p : pes_) try {
      p->ipcq().check_no_leak();
    } catch (const IpcqLeak& leak) {
      leaks += (leaks.empty() ? "" : "\n") + std::string(leak.what());
    }
  if (!leaks.empty()) throw IpcqLeak(leaks);
  for (const auto& p : pes_)
    for (std::size_t d = 0; d < p->ipcq().ports(); ++d) {
      const auto port = static_cast<Direction>(d);
      if (!p->has(port)) continue;
      const Wiring& w = *p->ipcq().wiring(port);
      const IpcqQueuePair &mine = p->ipcq().queue_pair(port), &theirs = w.peer->queue_pair(w.peer_port);
      if (mine.peer_tail_cache != theirs.credited())
        throw ViolationError(fmt::format("a credit never arrived: {} has freed {} messages, {} knows of {}: {}",
                                         w.peer->name(), theirs.credited(), p->name(), mine.peer_tail_cache,
                                         mine.describe()));
    }
}

std::string Machine::pointer_dump() const {
  std::string text;
  for (const auto& p : pes_)
    for (std::size_t d = 0; d < p->ipcq().ports(); ++d)
      if (const auto port = static_cast<Direction>(d); p->has(port))
        text += fmt::format("{}: {}\n", p->name(), p->ipcq().queue_pair(port).describe());
  return text;
}

}  // namespace tutti::device
