#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/cli/result_database.h"
#include "app/cli/trace_json.h"
#include "app/cli/trace_watch.h"
#include "base/error.h"
#include "workload/runner.h"

namespace tutti::app {
namespace {

constexpr const char* help = R"(usage: tutti trace --workload PREFIX --network FILE [options]
Runs execution traces (PREFIX.<rank>.et) over a network and says when each rank finishes.

  --workload PREFIX          traces, a file a rank              (also --workload-configuration)
  --network FILE             network.yml, or ns-3's config.txt  (--network-configuration)
  --backend NAME             unaware, aware, packet             default aware
  --logical-topology FILE    the ranks' dimensions, for packet  (--logical-topology-configuration)
  --system FILE              system.json                        (--system-configuration); default: ring everywhere
  --remote-memory FILE                                          (--remote-memory-configuration)
  --comm-group FILE          communicators                      (--comm-group-configuration)
  --num-queues-per-dim N     default 1
  --injection-scale X        factor of endpoint-delay, default 1
  --compute-scale X          factor of compute nodes' times; or by rank: 0-7:0.5,8:2
  --rendezvous-protocol      receives ask for their data
  --semantics tutti|astra    default tutti; astra reproduces ASTRA-sim (docs/semantics.md)
  --matching stream|message|order   default stream (docs/matching.md)
  --mtu BYTES                packet of cut-through, default 4096
  --cpu-slots N, --compute-slots N, --comm-slots N, --memory-slots N   nodes of a kind at once, default 1
  --shortcuts on|off         on: rings in lockstep are computed without an event a message, with the same result
  --json FILE|-              result as JSON; - prints it alone on standard output
  --out DIR                  writes DIR/result.json and DIR/run.sqlite (docs/results.md)
  --progress auto|on|off     simulated time, events a second, share of nodes done and the oldest wait, on standard error
Ctrl-C ends the run and writes what there is, marked partial.
)";

struct Arguments {
  workload::RunSettings run;
  std::string json, out, progress = "auto";
  std::vector<InputSetting> inputs;
  std::vector<std::string> command_line;
  bool help = false;
};

Arguments read_arguments(const std::vector<std::string_view>& words) {
  Arguments a;
  Options o;
  std::string queues = "1", scale = "1", semantics = "tutti", matching = "stream", mtu = "4096", cpu = "1",
              compute = "1", comm = "1", memory = "1", shortcuts = "on";
  std::string comm_scale = "1", compute_scale = "1", unused;
  o.value({"--workload", "--workload-configuration"}, a.run.workload);
  o.value({"--network", "--network-configuration"}, a.run.network);
  o.value({"--backend"}, a.run.backend);
  o.value({"--system", "--system-configuration"}, a.run.system);
  o.value({"--remote-memory", "--remote-memory-configuration"}, a.run.remote_memory);
  o.value({"--comm-group", "--comm-group-configuration"}, a.run.comm_group);
  o.value({"--logical-topology", "--logical-topology-configuration"}, a.run.logical_topology);
  o.value({"--num-queues-per-dim"}, queues);
  o.value({"--injection-scale"}, scale);
  o.value({"--comm-scale"}, comm_scale);
  o.value({"--compute-scale"}, compute_scale);
  o.value({"--logging-configuration"}, unused);
  o.value({"--logging-folder"}, unused);
  o.flag({"--rendezvous-protocol"}, a.run.rendezvous);
  o.value({"--semantics"}, semantics);
  o.value({"--matching"}, matching);
  o.value({"--mtu"}, mtu);
  o.value({"--cpu-slots"}, cpu);
  o.value({"--compute-slots"}, compute);
  o.value({"--comm-slots"}, comm);
  o.value({"--memory-slots"}, memory);
  o.value({"--shortcuts"}, shortcuts);
  o.value({"--json"}, a.json);
  o.value({"--out"}, a.out);
  o.value({"--progress"}, a.progress);
  o.flag({"--help"}, a.help);
  o.parse(words);
  if (a.help) return a;
  const auto one_of = [](const char* option, const std::string& value, std::initializer_list<const char*> known) {
    for (const char* k : known)
      if (value == k) return;
    throw ConfigError(fmt::format("error: {}: unknown value '{}'; known: {}", option, value, fmt::join(known, ", ")));
  };
  one_of("--semantics", semantics, {"tutti", "astra"});
  one_of("--matching", matching, {"stream", "message", "order"});
  one_of("--progress", a.progress, {"auto", "on", "off"});
  one_of("--shortcuts", shortcuts, {"on", "off"});
  a.run.shortcuts = shortcuts == "on";
  a.run.astra = semantics == "astra";
  if (a.run.astra && !o.given("--matching").empty() && matching != "message")
    throw ConfigError(fmt::format(
        "error: --matching {} has no meaning with --semantics astra, which matches message by message", matching));
  a.run.ignore_tags = matching == "order";
  a.run.matching = matching == "stream" ? match::Policy::stream : match::Policy::message;
  a.run.queues_per_dimension = static_cast<std::uint32_t>(whole("--num-queues-per-dim", queues, 1, 4096));
  a.run.injection_scale = number("--injection-scale", scale);
  a.run.mtu = Bytes(static_cast<std::int64_t>(whole("--mtu", mtu, 1, 1U << 30)));
  a.run.slots = {static_cast<std::uint32_t>(whole("--cpu-slots", cpu, 1, 1U << 20)),
                 static_cast<std::uint32_t>(whole("--compute-slots", compute, 1, 1U << 20)),
                 static_cast<std::uint32_t>(whole("--comm-slots", comm, 1, 1U << 20)),
                 static_cast<std::uint32_t>(whole("--memory-slots", memory, 1, 1U << 20))};
  if (!a.run.astra) {
    if (number("--comm-scale", comm_scale) != 1)
      throw ConfigError("error: --comm-scale has no effect in ASTRA-sim and is not supported; leave it out");
    a.run.compute_scale = factors_by_rank("--compute-scale", compute_scale);
  }
  if (a.run.workload.empty()) throw ConfigError("error: --workload PREFIX is needed");
  if (a.run.network.empty()) throw ConfigError("error: --network FILE is needed");
  const auto input = [&](const char* option, const std::string& value) {
    const std::string as = o.given(option);
    if (!value.empty()) a.inputs.push_back({std::string(option).substr(2), value, as.empty() ? "default" : as});
  };
  input("--workload", a.run.workload);
  input("--network", a.run.network);
  input("--backend", a.run.backend);
  input("--logical-topology", a.run.logical_topology);
  input("--system", a.run.system);
  input("--remote-memory", a.run.remote_memory);
  input("--comm-group", a.run.comm_group);
  input("--num-queues-per-dim", queues);
  input("--injection-scale", scale);
  if (!a.run.astra) input("--compute-scale", compute_scale);
  input("--rendezvous-protocol", a.run.rendezvous ? "true" : "false");
  input("--semantics", semantics);
  input("--matching", a.run.astra ? "message of equal size" : matching);
  if (!a.run.astra) input("--mtu", mtu);
  input("--cpu-slots", cpu);
  input("--compute-slots", compute);
  input("--comm-slots", comm);
  input("--memory-slots", memory);
  a.command_line = o.words();
  return a;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text) || !out.flush()) throw ConfigError(fmt::format("error: {} cannot be written", path));
}

void deliver(const Arguments& a, const std::string& json) {
  if (a.json == "-")
    std::fwrite(json.data(), 1, json.size(), stdout);
  else if (!a.json.empty())
    write_file(a.json, json);
  if (!a.out.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(a.out, failed);
    write_file(a.out + "/result.json", json);
  }
}

/// What a person reads; everything that is left over, in any case.
void print_text(const workload::RunResult& r, std::FILE* to, bool ranks) {
  const auto line = [&](const std::string& text) { std::fprintf(to, "%s\n", text.c_str()); };
  if (ranks) {
    const std::size_t shown = std::min<std::size_t>(r.ranks.size(), 64);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& one = r.ranks[i];
      if (one.finish)
        line(fmt::format(
            "rank {:>5}  finished {:>16} ns  compute {:>14}  communication {:>14}  exposed {:>14}  idle {:>12}", i,
            to_ns(*one.finish), to_ns(one.time.compute()), to_ns(one.time.comm), to_ns(one.time.exposed_comm),
            to_ns(one.time.idle)));
      else
        line(fmt::format("rank {:>5}  not finished: {} of {} nodes done", i, one.nodes_done, one.nodes));
    }
    if (shown < r.ranks.size()) line(fmt::format("... and {} more ranks (--json has all)", r.ranks.size() - shown));
    if (r.status == workload::RunResult::Status::completed) line(fmt::format("completed at {} ns", to_ns(r.makespan)));
  }
}

void print_faults(const workload::RunResult& r) {
  constexpr std::size_t most = 100;
  const auto line = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  for (const std::string& w : r.warnings) line(w);
  for (const std::string& e : r.size_errors) line("error: sizes differ: " + e);
  for (std::size_t i = 0; i < r.unmatched.size() && i < most; ++i) {
    const auto& u = r.unmatched[i];
    const std::string node = u.node ? fmt::format(" node {} '{}'", *u.node, u.name) : "";
    line(fmt::format("unmatched {}: rank {}{}: tag {}, rank {} to rank {}, {} of {} bytes missing, {} arrived ({})",
                     u.kind, u.rank, node, u.tag, u.source, u.destination,
                     u.bytes_expected > u.bytes_arrived ? u.bytes_expected - u.bytes_arrived : 0, u.bytes_expected,
                     u.bytes_arrived, u.hint));
  }
  for (std::size_t i = 0; i < r.waits.size() && i < most; ++i) {
    const auto& w = r.waits[i];
    line(fmt::format("rank {} waits{} for {}, since {} ns", w.rank, w.on ? fmt::format(" on rank {}", *w.on) : "",
                     w.what, to_ns(w.since)));
  }
  if (r.unmatched.size() > most || r.waits.size() > most) line("... more of these are in the JSON (--json)");
  if (!r.cycle.empty())
    line(fmt::format("they wait in a circle: {} -> {}", fmt::join(r.cycle, " -> "), r.cycle.front()));
  if (r.status == workload::RunResult::Status::incomplete) {
    std::size_t stuck = 0;
    for (const auto& one : r.ranks) stuck += !one.finish;
    line(fmt::format("error: incomplete: {} of {} ranks did not finish, {} sends, receives or messages are left over",
                     stuck, r.ranks.size(), r.unmatched.size()));
  }
}

int run(const std::vector<std::string_view>& words) {
  const Arguments a = read_arguments(words);
  if (a.help) return std::fputs(help, stdout), 0;
  const auto begin = std::chrono::steady_clock::now();
  workload::RunResult result;
  OutDatabase<report::TraceRecorder> database(a.out, false);
  try {
    TraceWatch watch(a.progress);
    workload::RunSettings settings = a.run;
    settings.watch = [&](const workload::RunProgress& p) { return watch.look(p); };
    settings.recorder = database.recorder();
    result = workload::run_traces(settings);
  } catch (const Error& e) {
    deliver(a, trace_error_json(e.what(), a.inputs));
    throw;
  }
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  deliver(a, trace_json(result, a.inputs, wall));
  std::vector<Setting> settings;
  for (const InputSetting& i : a.inputs) settings.push_back({i.name, i.value, i.origin});
  database.write(a.command_line, settings, result, a.run.workload, wall);
  print_text(result, a.json == "-" ? stderr : stdout, a.json != "-");
  print_faults(result);
  switch (result.status) {
    case workload::RunResult::Status::completed:
      return static_cast<int>(ExitCode::ok);
    case workload::RunResult::Status::interrupted:
      std::fprintf(stderr, "error: interrupted at %s ns of simulated time; the result is partial\n",
                   to_ns(result.makespan).c_str());
      return static_cast<int>(ExitCode::deadlock);
    case workload::RunResult::Status::incomplete:
      return static_cast<int>(ExitCode::deadlock);
    case workload::RunResult::Status::mismatch:
      return static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(ExitCode::internal);
}

}  // namespace

Command trace_command() { return {"trace", "runs execution traces over a network", &run}; }

}  // namespace tutti::app
