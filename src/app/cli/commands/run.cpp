#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/result_database.h"
#include "app/cli/run_json.h"
#include "host/benchmark.h"
#include "plan/formats/read.h"

namespace tutti::app {
namespace {

void print_times(std::FILE* to, const host::BenchmarkResult& r) {
  const auto mean = [&](auto pick) {
    Time sum;
    for (const auto& one : r.rank) sum += pick(one.time);
    return Time::ps(sum.ps() / static_cast<std::int64_t>(r.rank.size()));
  };
  using T = device::TimeUse;
  const std::pair<const char*, Time> rows[] = {
      {"waiting for data: serialization", mean([](const T& t) { return t.serialization; })},
      {"waiting for data: latency of the path", mean([](const T& t) { return t.latency; })},
      {"waiting for data: not sent yet", mean([](const T& t) { return t.peer; })},
      {"waiting for a free slot (credit)", mean([](const T& t) { return t.credit; })},
      {"giving slots back (credit)", mean([](const T& t) { return t.credit_emit; })},
      {"reduction", mean([](const T& t) { return t.reduction; })},
      {"copies and memories", mean([](const T& t) { return t.memory; })},
      {"commands and queues", mean([](const T& t) { return t.issue; })},
      {"barrier", mean([](const T& t) { return t.barrier; })}};
  Table table({"where the time went (mean of the ranks)", ">ns", ">%"});
  for (const auto& [name, time] : rows)
    if (time > Time()) table.add({name, to_ns(time), fmt::format("{:.1f}", 100.0 * time.ns() / r.makespan.ns())});
  std::fputs(table.text().c_str(), to);
}

void print_verified(std::FILE* to, const host::BenchmarkResult& r, const Paint& paint) {
  const host::Verification& v = *r.reference;
  fmt::print(to, "{}: {} elements against a reference in float64; replay of {} operations identical\n",
             paint.green("verified"), v.elements, r.operations);
  if (v.max_abs_error > 0)
    fmt::print(to,
               "largest error {:.3g}: {:.1f} ulp of the largest result, {:.4g}; {:.1f} % of what rounding to {} may "
               "cause, at most\n",
               v.max_abs_error, v.error_in_ulp(r.dtype), v.largest, 100 * v.max_share, memory::to_string(r.dtype));
}

void print(std::FILE* to, const host::BenchmarkResult& r, double wall) {
  const Paint paint(to);
  fmt::print(to, "{}: {} of {} a rank on {} ranks\n", r.algorithm, r.collective, to_string(r.bytes), r.ranks);
  if (r.reference && r.verified)
    print_verified(to, r, paint);
  else if (!r.reference && r.status == ExitCode::ok)
    fmt::print(to, "{}\n", paint.yellow("not verified: --no-verify-data"));
  if (r.status == ExitCode::ok && r.makespan > Time()) {
    fmt::print(to, "makespan {}, algbw {:.3f} GB/s, busbw {:.3f} GB/s\n\n", to_string(r.makespan), r.algbw, r.busbw);
    if (!r.bounds.all.empty()) {
      const auto& binding = r.bounds.binding();
      Table table({"bound", ">ns", ""});
      for (const auto& b : r.bounds.all)
        table.add({b.name + (&b == &binding ? " (binding)" : ""), to_ns(b.time), b.why});
      fmt::print(to, "{}gap to the {} bound: {:.3f}\n\n", table.text(), binding.name,
                 binding.time > Time() ? r.makespan.ns() / binding.time.ns() : 0.0);
    }
    print_times(to, r);
    fmt::print(to, "\n");
  }
  fmt::print(to, "{} events, {:.3f} s\n", r.events, wall);
}

struct Run {
  static constexpr std::string_view name = "run",
                                    summary = "runs a collective kernel on simulated PEs and checks its data";
  static CommandText text() {
    return {
        "Runs the algorithm of ccl.yaml on every PE of a machine, on seeded random data. Bytes are real: they are "
        "moved "
        "and reduced in simulated time, the logged operations are done again without time and compared, and the result "
        "is checked against a float64 reference.\n\nExit code: 0 done and verified, 2 bad input, 3 data mismatch, 4 "
        "deadlock or leftovers, 5 a bound or an invariant violated, 70 internal error.",
        {{"tutti run", "an all-reduce of 64 KiB f16 a rank on 128 PEs"},
         {"tutti run --algorithm tree_allreduce --set defaults.buffer_kind=hbm", "another algorithm, slots in HBM"},
         {"tutti run --set profile=full --json -", "1,024 PEs, the result as JSON"}}};
  }
  host::BenchmarkSettings settings;
  std::string bench = "ccl_allreduce", algorithm, dtype = "f16", op = "sum", progress = "auto", tensor = "tcm", trace,
              schedule;
  std::vector<std::string> set, libraries;
  std::uint64_t ranks = 0, root = 0;
  bool verify = false, no_verify = false;
  ResultOutput output;

  void declare(Options& o) {
    o.value({"--bench"}, bench, {"host program", "NAME", {"ccl_allreduce"}});
    o.value({"--ccl"}, settings.ccl, {"ccl.yaml (tutti config ccl)", "FILE"});
    o.value({"--kernel-library"}, libraries,
            {"shared library of kernels that ccl.yaml names; loads and runs its code; may be repeated", "FILE"});
    o.value({"--topology"}, settings.topology, {"topology.yaml (tutti config topology)", "FILE"});
    o.value({"--algorithm"}, algorithm,
            {"entry of ccl.yaml's algorithms, or one of `tutti algo list`, instead of defaults.algorithm", "NAME"});
    o.value({"--schedule"}, schedule, {"run the schedule of a file (MSCCL XML, text form) instead", "FILE"});
    o.value({"--ranks"}, ranks, 0, 1 << 20, {"use the first N; without it all that the machine has", "N"});
    o.value({"--bytes"}, settings.bytes, {"tensor of a rank", "SIZE"});
    o.value({"--dtype"}, dtype, {"f16, bf16, f32, i8 or i32", "TYPE", {"f16", "bf16", "f32", "i8", "i32"}});
    o.value({"--op"}, op, {"sum, max or min", "OP", {"sum", "max", "min"}});
    o.value({"--root"}, root, 0, 1 << 20, {"rank that a broadcast starts from, that a reduction ends at", "RANK"});
    o.value({"--tensor"}, tensor, {"memory of the tensors: tcm, sram or hbm", "KIND", {"tcm", "sram", "hbm"}});
    o.value({"--set"}, set, {"path.to.key=value of either file", "ASSIGNMENT"});
    o.flag({"--verify-data"}, verify, {"check the data (the default)"});
    o.flag({"--no-verify-data"}, no_verify, {"do not"});
    o.flag({"--check-hazards"}, settings.hazards,
           {"look for unordered operations on the same bytes; always on for slot_release: at_recv and libraries"});
    o.value({"--ccl-trace"}, trace,
            {"write every send, recv and release: rank, time, port, bytes; -: to standard error", "FILE"});
    o.value({"--seed"}, settings.seed, 0, UINT64_MAX, {"of the data", "N"});
    o.value({"--progress"}, progress, {"accepted for scripts; runs are short", "WHEN", {"auto", "on", "off"}});
    output.declare(o);
  }

  void prepare(const Context& context) {
    if (verify && no_verify) throw ConfigError("error: --verify-data and --no-verify-data exclude each other");
    settings.verify = !no_verify;
    memory::parse(dtype, settings.dtype);
    settings.op = op == "max" ? memory::ReduceOp::max : op == "min" ? memory::ReduceOp::min : memory::ReduceOp::sum;
    settings.tensor_kind = tensor == "sram"  ? device::BufferKind::sram
                           : tensor == "hbm" ? device::BufferKind::hbm
                                             : device::BufferKind::tcm;
    settings.root = static_cast<int>(root);
    if (ranks == 0 && !context.options.given("--ranks").empty())
      throw ConfigError("error: --ranks 0: at least one rank is needed");
    settings.world_size = static_cast<int>(ranks);
    settings.warn = [](const std::string& what) {
      fmt::print(stderr, "{}\n", Paint(stderr).yellow("warning: " + what));
    };
    for (const std::string& file : libraries) settings.libraries.emplace_back(file);
    for (const std::string& s : set) settings.overlay.add(s);
    if (!schedule.empty()) settings.schedule = plan::read_schedule(schedule);
    if (!algorithm.empty()) settings.overlay.add("defaults.algorithm=" + algorithm, "--algorithm");
    if (const char* wanted = std::getenv("TUTTI_CCL_TRACE"); trace.empty() && wanted && *wanted && *wanted != '0')
      trace = "-";
    settings.keep_trace = !trace.empty();
  }

  int run(const Context& context) {
    prepare(context);
    const auto begin = std::chrono::steady_clock::now();
    host::BenchmarkResult result;
    OutDatabase<report::MachineRecorder> database(output.out);
    settings.observer = database.recorder();
    try {
      result = host::run_benchmark(settings);
    } catch (const Error& e) {
      output.deliver(run_error_json(e.what()));
      throw;
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto option = [&](const char* path, std::string value, const char* flag) {
      const bool given = !context.options.given(flag).empty();
      result.inputs.push_back({path, std::move(value), given ? flag : "default"});
    };
    option("run.bytes", to_string(settings.bytes), "--bytes");
    option("run.dtype", dtype, "--dtype");
    option("run.op", op, "--op");
    option("run.ranks", std::to_string(result.ranks), "--ranks");
    option("run.seed", std::to_string(settings.seed), "--seed");
    option("run.tensor", tensor, "--tensor");
    output.deliver(run_json(result, wall));
    database.write(context.options.words(), result.inputs, result, wall);
    if (trace == "-")
      std::fputs(result.trace.c_str(), stderr);
    else if (!trace.empty())
      write_file(trace, result.trace);
    if (!context.quiet) print(output.human(), result, wall);
    if (context.verbose || (result.status == ExitCode::deadlock && result.ranks <= 64))
      std::fputs(result.pointers.c_str(), stderr);
    if (!result.error.empty()) fmt::print(stderr, "{}\n", Paint(stderr).message(result.error));
    return static_cast<int>(result.status);
  }
};

}  // namespace

Command run_command() { return make_command<Run>(); }

}  // namespace tutti::app
