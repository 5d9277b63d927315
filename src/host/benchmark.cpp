#include "host/benchmark.h"

#include <algorithm>

#include <fmt/format.h>

#include "ccl/helpers.h"
#include "ccl/lint.h"
#include "device/hazard.h"
#include "device/machine_yaml.h"
#include "fabric/defaults.h"
#include "host/group_plan.h"
#include "plan/algorithm.h"
#include "plan/formats/read.h"
#include "plan/samples.h"

namespace tutti::host {
namespace {

device::MachineConfig load(const BenchmarkSettings& s, std::vector<Setting>& inputs) {
  const std::string defaults(fabric::default_file("topology.yaml").text);
  Config config = s.topology.empty() ? Config::built_in(defaults, "topology.yaml") : Config::file(s.topology);
  if (!s.topology.empty()) config.add_defaults(defaults, "topology.yaml");
  config.apply(s.overlay);
  device::MachineConfig machine = device::read_machine(config.root());
  config.finish();
  inputs.insert(inputs.end(), config.settings().begin(), config.settings().end());
  return machine;
}

/// Tensors of all ranks, before and after.
struct Data {
  std::optional<Tensor> tensor;
  std::optional<Tensor> output;     ///< all_to_all
  std::optional<PlanBuffers> plan;  ///< of a schedule, instead of both
  Buffers before;
};

Data prepare(Runtime& torch, const BenchmarkSettings& s, std::int64_t elements) {
  Data d;
  if (const Planned* planned = torch.planned()) {
    d.plan = torch.plan_buffers(s.dtype, s.tensor_kind);
    d.before = random_inputs(planned->schedule.collective, s.dtype, s.seed);
    for (int r = 0; r < torch.world_size(); ++r) d.plan->write_input(r, d.before[static_cast<std::size_t>(r)]);
    return d;
  }
  d.tensor = torch.empty({elements}, s.dtype, {}, s.tensor_kind);
  if (torch.algorithm().collective == "all_to_all") {
    // Parts differ by at most an element, and a rank gets its own part from each: room for the largest.
    const std::int64_t ranks = torch.world_size();
    d.output = torch.empty({(elements + ranks - 1) / ranks * ranks}, s.dtype, {}, s.tensor_kind);
  }
  for (int r = 0; r < torch.world_size(); ++r) {
    d.before.push_back(random_elements(s.dtype, elements, s.seed, r));
    d.tensor->write(torch.pe_of(r), d.before.back());
  }
  return d;
}

Buffers results(Runtime& torch, const BenchmarkSettings& s, const Data& d) {
  Buffers after;
  for (int r = 0; r < torch.world_size(); ++r) {
    if (d.plan) {
      after.push_back(d.plan->read_output(r));
      continue;
    }
    if (!d.output) {
      after.push_back(d.tensor->read(torch.pe_of(r)));
      continue;
    }
    const ccl::Piece own = ccl::part({0, d.tensor->elements(torch.pe_of(r))}, torch.world_size(), r);
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(own.elements * torch.world_size() * memory::size_of(s.dtype)));
    torch.machine().memory().read(d.output->on(torch.pe_of(r)).address, bytes);
    after.push_back(std::move(bytes));
  }
  return after;
}

plan::Schedule enlarged(const plan::Schedule& s, std::int64_t elements) {
  const std::int64_t own = s.collective.count;
  return own > 0 && elements > own ? plan::scale(s, elements / own) : s;
}

void collect(Runtime& torch, BenchmarkResult& out) {
  device::Machine& machine = torch.machine();
  for (int r = 0; r < torch.world_size(); ++r) {
    const device::Pe& pe = machine.pe(torch.pe_of(r));
    RankResult one;
    one.time = pe.time();
    if (pe.kernel == device::Pe::Kernel::ended) {
      one.finish = pe.kernel_end - pe.kernel_begin;
      out.makespan = std::max(out.makespan, *one.finish);
    }
    for (std::size_t d = 0; d < pe.ipcq().ports(); ++d) {
      const auto& use = pe.ipcq().use(static_cast<device::Direction>(d));
      one.messages += use.messages;
      one.bytes_sent += use.bytes;
      one.bytes_received += use.bytes_received;
    }
    if (const auto& b = pe.blocked(); pe.kernel == device::Pe::Kernel::running && b.call) {
      WaitResult w{r, pe.name(), b.call, {}, b.since};
      if (b.port) {
        w.what += fmt::format(" {}", name(*b.port));
        if (const auto& wiring = pe.ipcq().wiring(*b.port)) w.on = machine.pe(wiring->peer_index).rank;
      }
      w.what += fmt::format(" at {}:{}", b.where.file_name(), b.where.line());
      out.waits.push_back(std::move(w));
    }
    out.rank.push_back(one);
  }
  const auto& graph = machine.fabric().graph();
  for (fabric::LinkId l = 0; l < graph.links().size(); ++l) {
    const auto use = machine.fabric().statistics(l);
    if (use.bytes > 0) out.links.push_back({graph.name(l), use.bytes, use.busy});
  }
  out.events = torch.simulation().events();
  out.pointers = machine.pointer_dump();
}

void trace(Runtime& torch, BenchmarkResult& out) {
  const oplog::Log& log = *torch.log();
  for (oplog::OpId id = 0; id < log.size(); ++id) {
    const oplog::Op& op = log[id];
    if (oplog::kind_of(op.name) != "ipcq") continue;
    out.trace +=
        fmt::format("rank {} {} {} {} B at {} ns\n", torch.machine().pe(static_cast<std::int32_t>(op.rank)).rank,
                    oplog::to_string(op.name), name(static_cast<ccl::Port>(op.port)), op.size, to_ns(op.start));
  }
}

void verify(Runtime& torch, const BenchmarkSettings& s, const Data& d, BenchmarkResult& out) {
  const auto difference = torch.replay_difference();
  out.replay_identical = !difference;
  out.operations = torch.log()->size();
  out.reference =
      d.plan ? verify_planned(torch.planned()->schedule.collective, s.dtype, s.op, d.before, results(torch, s, d))
             : verify_collective(out.collective, s.dtype, s.op, s.root, d.before, results(torch, s, d));
  out.verified = !difference && !out.reference->mismatch;
  if (difference) out.error = "error: the replay of the operations differs from the run: " + *difference;
  if (out.reference->mismatch)
    out.error += (out.error.empty() ? "" : "\n") + ("error: the result is wrong: " + *out.reference->mismatch);
  if (!out.verified) out.status = ExitCode::mismatch;
}

}  // namespace

namespace {

/// The kernel that ccl.yaml names, of the program or of a library that was loaded; null: a library that was not.
const ccl::Kernel* find_kernel(const BenchmarkSettings& s, const ccl::CclConfig& c) {
  if (!c.is_library()) return &ccl::kernel(c.module);
  for (const ccl::KernelLibrary& l : s.libraries)
    if (l.is(c.library)) return &l.kernel(c.module);
  return nullptr;
}

/// Does a kernel on the mock first, where that is quick, and says what is wrong.
void look_ahead(const BenchmarkSettings& s, const ccl::CclConfig& c, const ccl::Kernel& kernel, int ranks) {
  constexpr int most_ranks = 128;
  constexpr std::int64_t most_bytes = 1 << 20;
  if (!s.warn || ranks > most_ranks || s.bytes.count() > most_bytes) return;
  ccl::KernelArgs args;
  args.elements = s.bytes.count() / memory::size_of(s.dtype);
  args.dtype = s.dtype, args.op = s.op, args.root = s.root;
  if (const auto fault = ccl::lint(kernel, c, args, ranks)) s.warn("before the run: " + *fault);
}

}  // namespace

BenchmarkResult run_benchmark(const BenchmarkSettings& s) {
  BenchmarkResult out;
  const device::MachineConfig machine = load(s, out.inputs);
  const ccl::CclConfig ccl = ccl::read_ccl_config(s.ccl, s.overlay);
  s.overlay.finish();
  out.inputs.insert(out.inputs.end(), ccl.settings.begin(), ccl.settings.end());
  const std::int64_t width = memory::size_of(s.dtype);
  if (s.bytes.count() % width != 0)
    throw ConfigError(fmt::format("error: --bytes {}: {} has elements of {} bytes", s.bytes.count(),
                                  memory::to_string(s.dtype), width));
  if (ccl.queue.slot_size.count() < width)
    throw ConfigError(fmt::format("{}: error: a slot of {} does not hold one element of {}", ccl.queue_place,
                                  to_string(ccl.queue.slot_size), memory::to_string(s.dtype)));

  Runtime torch(machine.topology, machine.spec, fabric_for(machine.fabric, ccl.queue));
  const int asked = s.schedule ? s.schedule->collective.ranks : s.world_size;
  if (s.schedule && s.world_size != 0 && s.world_size != asked)
    throw ConfigError(fmt::format("error: --ranks {}: the schedule is of {} ranks", s.world_size, asked));
  const auto ranks = static_cast<int>(rank_pes(torch.machine(), ccl.queue.rank_unit, asked).size());
  if (s.root < 0 || s.root >= ranks)
    throw ConfigError(fmt::format("error: --root {}: ranks are 0 to {}", s.root, ranks - 1));
  if (s.schedule)
    torch.init_process_group("ahbm", ccl, enlarged(*s.schedule, s.bytes.count() / width));
  else if (ccl.is_plan())
    torch.init_process_group(
        "ahbm", ccl,
        planned_schedule(ccl, plan::benchmark_collective(plan::algorithm(ccl.plan()).kind, ranks,
                                                         s.bytes.count() / width, s.root, s.seed)));
  else if (const ccl::Kernel* const kernel = find_kernel(s, ccl)) {
    torch.init_process_group("ahbm", ccl, *kernel, s.world_size);
    look_ahead(s, ccl, *kernel, ranks);
  } else
    torch.init_process_group("ahbm", ccl, s.world_size);  // says that a library is missing
  out.algorithm = s.schedule ? s.schedule->algorithm : ccl.algorithm, out.collective = torch.algorithm().collective;
  out.dtype = s.dtype, out.ranks = torch.world_size(), out.bytes = s.bytes, out.elements = s.bytes.count() / width;
  if (s.schedule && torch.planned()->schedule.collective.count > 0)
    out.elements = torch.planned()->schedule.collective.count, out.bytes = Bytes(out.elements * width);

  Data data = prepare(torch, s, out.elements);
  if (s.verify || s.keep_trace) torch.record();
  std::optional<device::HazardDetector> hazards;
  if (s.hazards || ccl.queue.slot_release == ccl::SlotRelease::at_recv || ccl.is_library())
    torch.machine().listen(hazards.emplace(torch.machine().size(), ccl.queue.n_slots));
  if (s.observer) s.observer->prepared(torch);
  try {
    if (data.plan)
      torch.run_schedule(*data.plan, s.op).wait();
    else
      torch.run_algorithm(*data.tensor, s.op, s.root, data.output ? &*data.output : nullptr).wait();
    if (hazards) hazards->check();
  } catch (const ConfigError&) {
    throw;
  } catch (const device::Deadlocked& e) {
    out.status = e.code(), out.error = e.what(), out.cycle = e.cycle();
  } catch (const Error& e) {
    out.status = e.code(), out.error = e.what();
  }
  if (out.status == ExitCode::deadlock && !ccl.queue.quiescence)
    out.error = fmt::format("deadlock at {}: no progress for {} (deadlock.timeout_ns)\n{}",
                            to_string(torch.simulation().now() + ccl.queue.deadlock_timeout),
                            to_string(ccl.queue.deadlock_timeout), out.error);
  collect(torch, out);
  if (s.observer) s.observer->ended(torch);
  if (s.keep_trace) trace(torch, out);
  if (out.status != ExitCode::ok) return out;

  out.bounds = run_bounds(torch, out.bytes, s.root, Bytes(width));
  for (const Bound& b : out.bounds.all)
    if (out.makespan < b.time) {
      out.status = ExitCode::violation;
      out.error = fmt::format("error: the run took {}, below its {} bound of {}: {}", to_string(out.makespan), b.name,
                              to_string(b.time), b.why);
      return out;
    }
  if (out.makespan > Time()) {
    out.algbw = static_cast<double>(out.bytes.count()) / out.makespan.ns();
    out.busbw = out.algbw * bus_factor(out.collective, out.ranks);
  }
  if (s.verify) verify(torch, s, data, out);
  return out;
}

}  // namespace tutti::host
