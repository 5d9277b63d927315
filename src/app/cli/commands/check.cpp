#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "base/version.h"
#include "workload/check.h"

namespace tutti::app {
namespace {

constexpr const char* help = R"(usage: tutti check --workload PREFIX [options]
       tutti check --trace FILE
Lists every fault of the inputs of a run, with file, node and place, without running anything.

  --workload PREFIX          traces, PREFIX.<rank>.et           (also --workload-configuration)
  --trace FILE               one trace on its own; what crosses ranks is not looked at
  --network FILE             analytical network.yml             (--network-configuration)
  --system FILE              system.json                        (--system-configuration)
  --remote-memory FILE                                          (--remote-memory-configuration)
  --comm-group FILE          communicators                      (--comm-group-configuration)
  --schema VERSION           0.0.1, 0.0.2, 0.0.3, 0.0.4 or 1.0.0; default: detected
  --matching stream|message  message: one send pairs with one receive, and different sizes are errors
  --rendezvous-protocol      sends wait for their receives
  --listed N                 faults listed of each rule, default 100; the rest is counted
  --json FILE|-              result as JSON; - prints it alone on standard output
Exit code: 0 no error (warnings may be listed), 2 an error.
)";

struct Arguments {
  workload::CheckSettings check;
  std::string json;
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> inputs;  // name -> value, origin
  bool help = false;
};

Arguments read_arguments(const std::vector<std::string_view>& words) {
  Arguments a;
  Options o;
  std::string trace, schema, matching = "stream", listed = "100";
  o.value({"--workload", "--workload-configuration"}, a.check.workload);
  o.value({"--trace"}, trace);
  o.value({"--network", "--network-configuration"}, a.check.network);
  o.value({"--system", "--system-configuration"}, a.check.system);
  o.value({"--remote-memory", "--remote-memory-configuration"}, a.check.remote_memory);
  o.value({"--comm-group", "--comm-group-configuration"}, a.check.comm_group);
  o.value({"--schema"}, schema);
  o.value({"--matching"}, matching);
  o.flag({"--rendezvous-protocol"}, a.check.rendezvous);
  o.value({"--listed"}, listed);
  o.value({"--json"}, a.json);
  o.flag({"--help"}, a.help);
  o.parse(words);
  if (a.help) return a;
  if (!trace.empty()) a.check.traces.push_back(trace);
  if (!schema.empty()) {
    workload::Schema s{};
    if (!workload::parse(schema, s))
      throw ConfigError(fmt::format("error: --schema: unknown '{}'; known: 0.0.1, 0.0.2, 0.0.3, 0.0.4, 1.0.0", schema));
    a.check.schema = s;
  }
  if (matching != "stream" && matching != "message")
    throw ConfigError(fmt::format("error: --matching: unknown value '{}'; known: stream, message", matching));
  a.check.messages = matching == "message";
  a.check.listed = whole("--listed", listed, 0, 1U << 30);
  if (a.check.workload.empty() && trace.empty() && a.check.network.empty() && a.check.comm_group.empty())
    throw ConfigError("error: nothing to check: give --workload PREFIX, --trace FILE or --network FILE");
  const auto input = [&](const char* option, const std::string& value) {
    const std::string as = o.given(option);
    if (!value.empty()) a.inputs.push_back({option + 2, {value, as.empty() ? "default" : as}});
  };
  input("--workload", a.check.workload);
  input("--trace", trace);
  input("--network", a.check.network);
  input("--system", a.check.system);
  input("--remote-memory", a.check.remote_memory);
  input("--comm-group", a.check.comm_group);
  input("--schema", schema);
  input("--matching", matching);
  input("--rendezvous-protocol", a.check.rendezvous ? "true" : "false");
  input("--listed", listed);
  return a;
}

nlohmann::ordered_json fault_json(const workload::Fault& f) {
  nlohmann::ordered_json j;
  j["severity"] = f.error ? "error" : "warning";
  j["rule"] = f.rule;
  if (!f.file.empty()) j["file"] = f.file;
  if (f.offset) j["offset"] = *f.offset;
  if (f.node) j["node"] = *f.node;
  if (!f.name.empty()) j["name"] = f.name;
  j["message"] = f.message;
  if (!f.hint.empty()) j["hint"] = f.hint;
  return j;
}

std::string report_json(const Arguments& a, const workload::CheckReport& r, double wall) {
  nlohmann::ordered_json j;
  j["schema"] = 1;
  j["tool"] = "tutti";
  j["version"] = version;
  j["command"] = "check";
  j["status"] = r.ok() ? "completed" : "error";
  j["inputs"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : a.inputs) j["inputs"][name] = {{"value", value.first}, {"origin", value.second}};
  const workload::CheckCounts& c = r.counts;
  j["counts"] = {{"ranks", c.ranks},
                 {"nodes", c.nodes},
                 {"dependencies", c.dependencies},
                 {"compute", c.compute},
                 {"memory", c.memory},
                 {"sends", c.sends},
                 {"receives", c.receives},
                 {"collectives", c.collectives},
                 {"bytes_sent", c.bytes_sent},
                 {"collective_bytes", c.collective_bytes}};
  j["errors"] = r.faults.errors();
  j["warnings"] = r.faults.warnings();
  j["rules"] = nlohmann::ordered_json::object();
  for (const auto& [rule, count] : r.rules) j["rules"][rule] = count;
  j["faults"] = nlohmann::ordered_json::array();
  for (const workload::Fault& f : r.faults.list()) j["faults"].push_back(fault_json(f));
  j["wall_s"] = wall;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  j["peak_rss_bytes"] = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  return j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void print_text(const workload::CheckReport& r, std::FILE* to) {
  const workload::CheckCounts& c = r.counts;
  std::fputs(r.faults.text().c_str(), to);
  for (const auto& [rule, count] : r.rules)
    if (count > 1) fmt::print(to, "{:>10} x {}\n", count, rule);
  fmt::print(to, "{} ranks, {} nodes, {} dependencies: {} sends, {} receives, {} collectives: {} errors, {} warnings\n",
             c.ranks, c.nodes, c.dependencies, c.sends, c.receives, c.collectives, r.faults.errors(),
             r.faults.warnings());
}

int run(const std::vector<std::string_view>& words) {
  const Arguments a = read_arguments(words);
  if (a.help) return std::fputs(help, stdout), 0;
  const auto begin = std::chrono::steady_clock::now();
  const workload::CheckReport report = workload::check_inputs(a.check);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!a.json.empty()) {
    const std::string text = report_json(a, report, wall);
    if (a.json == "-") {
      std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
      std::ofstream out(a.json, std::ios::binary);
      if (!(out << text) || !out.flush()) throw ConfigError(fmt::format("error: {} cannot be written", a.json));
    }
  }
  print_text(report, a.json == "-" ? stderr : stdout);
  return static_cast<int>(report.ok() ? ExitCode::ok : ExitCode::bad_input);
}

}  // namespace

Command check_command() { return {"check", "lists every fault of a run's inputs without running them", &run}; }

}  // namespace tutti::app
