#include "workload/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "workload/check.h"
#include "workload/leftovers.h"
#include "workload/trace_format.h"

namespace tutti::workload {
namespace {

void check_settings(const RunSettings& s) {
  if (s.queues_per_dimension == 0) throw ConfigError("--num-queues-per-dim: at least 1 is needed");
  if (s.queues_per_dimension > 4096) throw ConfigError("--num-queues-per-dim: at most 4096");
  if (!(s.injection_scale >= 0) || s.injection_scale > 1e9)
    throw ConfigError("--injection-scale: a number from 0 to 1e9 is needed");
  if (s.mtu.count() < 1) throw ConfigError("--mtu: at least 1 byte is needed");
  const Slots& n = s.slots;
  if (n.cpu == 0 || n.compute == 0 || n.comm == 0 || n.memory == 0)
    throw ConfigError("slots: at least one of each kind is needed");
}

TraceSet read_traces(const RunSettings& s, std::uint32_t ranks) {
  ReadOptions options;
  options.expected_ranks = static_cast<std::int32_t>(ranks);
  TraceSet set = read_trace_set(s.workload, options);
  if (!set.faults.ok()) throw ConfigError(set.faults.text());
  return set;
}

void refuse_cycle(const Trace& trace) {
  const auto cycle = Resolver(trace).cycle();
  if (cycle.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < cycle.size() && i < 20; ++i) text += fmt::format("{} -> ", trace.nodes[cycle[i]].id);
  if (cycle.size() > 20) text += "... -> ";
  throw ModelError(fmt::format("{}: error: the dependencies go in a circle of {} nodes: {}{}", trace.file, cycle.size(),
                               text, trace.nodes[cycle.front()].id));
}

}  // namespace

std::size_t RunProgress::nodes_done() const {
  std::size_t n = 0;
  for (const auto& p : programs_) n += p->nodes_done();
  return n;
}

std::size_t RunProgress::nodes() const {
  std::size_t n = 0;
  for (const auto& p : programs_) n += p->trace().nodes.size();
  return n;
}

std::string RunProgress::oldest() const {
  const RankProgram* rank = nullptr;
  RankProgram::Running first{0, Time::max()};
  for (const auto& p : programs_)
    for (const auto& r : p->running())
      if (r.since < first.since) rank = p.get(), first = r;
  if (!rank) return {};
  const Node& n = rank->trace().nodes[first.node];
  return fmt::format("rank {} node {} '{}', since {} ns", rank->rank(), n.id, rank->trace().name(n),
                     to_ns(first.since));
}

RunResult run_traces(const RunSettings& settings) {
  check_settings(settings);
  const Rules rules = settings.astra ? Rules::astra_sim() : Rules::tutti();
  sim::Simulation simulation;
  const auto network = net::open_backend(settings.backend, simulation, settings.network,
                                         {settings.astra, settings.mtu, settings.logical_topology});
  const std::uint32_t ranks = network->ranks();
  const auto sizes = network->dimensions();

  const SystemConfig system = settings.system.empty()
                                  ? default_system(sizes.size())
                                  : read_system_file(settings.system, sizes.size(), settings.injection_scale, rules);
  const CommGroups groups =
      settings.comm_group.empty() ? CommGroups(ranks) : CommGroups::from_file(settings.comm_group, ranks, rules);
  const RemoteMemoryConfig memory_config = settings.remote_memory.empty()
                                               ? RemoteMemoryConfig{}
                                               : read_remote_memory_file(settings.remote_memory, ranks, rules);
  const TraceSet traces = read_traces(settings, ranks);
  if (rules.astra)
    for (const Trace& t : traces.ranks) refuse_cycle(t);
  else
    check_before_run(traces.ranks, static_cast<std::uint32_t>(sizes.size()), groups, system,
                     memory_config.kind != RemoteMemoryConfig::Kind::none);

  const match::Policy astra_policy = network->counts_bytes_in_astra() ? match::Policy::stream : match::Policy::exact;
  Messenger messenger(simulation, *network, settings.astra ? astra_policy : settings.matching, settings.rendezvous);
  Pool<RankClock::Instant> instants;
  std::vector<RankClock> clocks(ranks, RankClock(simulation, instants));
  CollectiveEngine collectives(simulation, messenger, system, rules, sizes, settings.queues_per_dimension,
                               settings.shortcuts);
  collectives.attach(clocks);
  const ComputeModel compute(system, rules);
  RemoteMemory memory(memory_config, rules);
  Machine machine{simulation,
                  rules,
                  system,
                  groups,
                  compute,
                  messenger,
                  collectives,
                  memory,
                  settings.slots,
                  settings.ignore_tags,
                  settings.compute_scale,
                  settings.recorder};
  messenger.listen(settings.recorder);
  std::vector<std::unique_ptr<RankProgram>> programs;
  for (std::uint32_t r = 0; r < ranks; ++r)
    programs.push_back(std::make_unique<RankProgram>(machine, traces.ranks[r], r, clocks[r]));
  for (const auto& p : programs) p->fire();
  constexpr std::uint64_t events_a_look = 65'536;
  const RunProgress progress(simulation, programs);
  bool interrupted = false;
  while (!interrupted && simulation.run_some(events_a_look)) interrupted = settings.watch && !settings.watch(progress);

  RunResult result;
  result.warnings = system.warnings;
  result.events = simulation.events();
  result.messages = messenger.messages();
  result.links = network->links();
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const RankProgram& p = *programs[r];
    RankResult one;
    if (p.finished()) one.finish = p.finish_time();
    one.time = p.account().totals();
    one.bytes_sent = messenger.bytes_sent(r);
    one.bytes_received = messenger.bytes_received(r);
    one.nodes = p.trace().nodes.size();
    one.nodes_done = p.nodes_done();
    result.makespan = std::max(result.makespan, p.finished() ? p.finish_time() : simulation.now());
    result.ranks.push_back(one);
  }
  if (settings.recorder)
    for (const auto& p : programs)
      for (const auto& one : p->running())
        settings.recorder->node(p->rank(), p->trace(), one.node, one.since, Time::max());
  if (interrupted) {
    result.status = RunResult::Status::interrupted;
    return result;
  }
  report_leftovers(programs, messenger.matcher(), collectives, settings.astra, result);
  return result;
}

}  // namespace tutti::workload
