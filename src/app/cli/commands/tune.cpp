#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "base/error.h"
#include "base/units.h"
#include "host/tune.h"

namespace tutti::app {
namespace {

/// Trials of an earlier search: "KEY = PICOSECONDS BOUND_PS BOUND_NAME", or "KEY = -".
std::map<std::string, host::Trial> read_state(const std::string& path) {
  std::map<std::string, host::Trial> known;
  std::ifstream in(path);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::size_t equal = line.rfind(" = ");
    if (in.eof()) break;  // an interrupted line: its trial is done again
    if (equal == std::string::npos) throw ConfigError(fmt::format("{}:{}: error: this is no trial", path, number));
    host::Trial t;
    if (const std::string value = line.substr(equal + 3); value != "-") {
      std::istringstream words(value);
      std::int64_t time = 0, bound = 0;
      if (!(words >> time >> bound)) throw ConfigError(fmt::format("{}:{}: error: this is no trial", path, number));
      t.time = Time::ps(time), t.bound = Time::ps(bound);
      words >> t.binding;
    }
    known[line.substr(0, equal)] = t;
  }
  return known;
}

std::string described(const host::TuneSpace& space, const host::Choice& choice) {
  std::string text;
  for (std::size_t d = 0; d < choice.size(); ++d) text += (d ? " " : "") + space.dimensions[d].values[choice[d]];
  return text;
}

struct Tune {
  static constexpr std::string_view name = "tune",
                                    summary = "searches algorithm and queue settings for a range of sizes";
  static CommandText text() {
    return {
        "For each size: from the standard settings on, one setting after the other takes its best value, until nothing "
        "gets better. Choices whose slots do not fit their memory are left out. Prints a crossover table and writes a "
        "ccl.yaml. What --set gives is not searched. With --state, an interrupted search goes on where it stopped.",
        {{"tutti tune --ranks 16 --sizes 1KiB,16KiB,256KiB --out tuned.yaml", "sixteen PEs"},
         {"tutti tune --ranks 2 --sizes 256KiB --set profile=full --set defaults.rank_unit=sip", "between two SIPs"}}};
  }
  host::TuneSettings settings;
  std::string sizes = "1KiB,16KiB,256KiB", collective = "all_reduce", out, state, dtype = "f16";
  std::vector<std::string> set;
  std::uint64_t ranks = 16, rounds = 2;

  void declare(Options& o) {
    o.value({"--collective"}, collective, {"what to tune", "KIND"});
    o.value({"--sizes"}, sizes, {"bytes a rank, with commas between", "SIZES"});
    o.value({"--ranks"}, ranks, 1, 1 << 20, {"use the first N", "N"});
    o.value({"--dtype"}, dtype, {"element type", "TYPE", {"f16", "bf16", "f32", "i8", "i32"}});
    o.value({"--topology"}, settings.base.topology, {"topology.yaml", "FILE"});
    o.value({"--set"}, set, {"path.to.key=value of either file; may be repeated", "ASSIGNMENT"});
    o.value({"--out"}, out, {"write the winners as a ccl.yaml", "FILE"});
    o.value({"--state"}, state, {"keep trials here, and go on from them", "FILE"});
    o.value({"--seed"}, settings.seed, 0, UINT64_MAX, {"of the order of the search", "N"});
    o.value({"--rounds"}, rounds, 1, 100, {"through all settings, at most", "N"});
  }

  int run(const Context& context) {
    settings.space = host::tune_space(collective);
    settings.base.world_size = static_cast<int>(ranks), settings.rounds = static_cast<int>(rounds);
    memory::parse(dtype, settings.base.dtype);
    for (const std::string& s : set) {  // what is set is not searched
      auto& all = settings.space.dimensions;
      const auto same =
          std::find_if(all.begin(), all.end(), [&](const auto& d) { return s.starts_with(d.path + "="); });
      if (same == all.end())
        settings.base.overlay.add(s);
      else
        same->values = {s.substr(same->path.size() + 1)}, same->standard = 0;
    }
    std::istringstream words(sizes);
    for (std::string one; std::getline(words, one, ',');) {
      Bytes size;
      std::string why;
      if (!parse(one, size, why)) throw ConfigError(fmt::format("error: --sizes: '{}': {}", one, why));
      settings.sizes.push_back(size);
    }
    if (settings.sizes.empty()) throw ConfigError("error: --sizes: at least one is needed");
    auto known = state.empty() ? std::map<std::string, host::Trial>() : read_state(state);
    const std::size_t before = known.size();
    std::ofstream log;
    if (!state.empty()) {
      log.open(state, std::ios::app);
      if (!log) throw ConfigError(fmt::format("{}: error: cannot be written", state));
    }
    std::uint64_t trials = 0;
    const auto done = [&](const std::string& key, const host::Trial& t) {
      ++trials;
      if (log.is_open())
        log << key << " = "
            << (t.time ? fmt::format("{} {} {}", t.time->ps(), t.bound.ps(), t.binding) : std::string("-"))
            << std::endl;
    };
    const auto tuned = host::tune(settings, known, done);
    fmt::print("{} of {} ranks: {} trials{}\n", collective, ranks, trials,
               before ? fmt::format(", {} from {}", before, state) : "");
    if (!context.quiet) {
      Table table({">bytes", "winner", ">us", ">standard us", ">speed-up", "bound", ">gap", "why"});
      for (const auto& t : tuned)
        table.add({fmt::format("{}", t.size.count()), described(settings.space, t.choice),
                   fmt::format("{:.3f}", t.best.time->ns() / 1000),
                   t.standard.time ? fmt::format("{:.3f}", t.standard.time->ns() / 1000) : "-",
                   t.standard.time ? fmt::format("{:.2f}", t.standard.time->ns() / t.best.time->ns()) : "-",
                   t.best.binding,
                   t.best.bound > Time() ? fmt::format("{:.2f}", t.best.time->ns() / t.best.bound.ns()) : "-", t.why});
      std::fputs(table.text().c_str(), stdout);
    }
    if (!out.empty()) write_file(out, host::tuned_yaml(settings.space, tuned));
    return 0;
  }
};

}  // namespace

Command tune_command() { return make_command<Tune>(); }

}  // namespace tutti::app
