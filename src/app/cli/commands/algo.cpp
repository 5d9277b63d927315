#include <cstdio>

#include <fmt/format.h>

#include "app/cli/algo_calibrate.h"
#include "app/cli/algo_synthesise.h"
#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "plan/formats/msccl_xml.h"
#include "plan/formats/read.h"
#include "plan/formats/text.h"
#include "plan/samples.h"
#include "plan/verify.h"

namespace tutti::app {

Command run_command();

namespace {

constexpr const char* help = R"(usage: tutti algo list
       tutti algo show NAME|FILE [--ranks N] [--elements N] [--rank R]
       tutti algo verify NAME|FILE|--all [--ranks A[..B]] [--elements N] [options]
       tutti algo convert NAME|FILE [--to text|msccl] [--ranks N] [--elements N]
       tutti algo synthesise KIND --on NETWORK [--elements N] [--chunks N] [--write FILE]
       tutti algo calibrate [--measured FILE.csv]
       tutti algo run NAME|FILE [options of tutti run]
Planned collectives: what there is, the steps of one, the proof that it is right, and a run on simulated PEs with its
data checked. A FILE has a dot or a slash in its name: an MSCCL algorithm (XML), or the text form that convert writes.

  --ranks A[..B]      ranks; show: 4, verify: 1..64
  --elements N        of the buffer, see docs/algorithms.md; verify: default several sizes, from 0
  --root R            of a rooted collective
  --rank R            show: steps of this rank only
  --set NAME=VALUE    a parameter of the algorithm (repeatable)
  --slots N           verify: slots of a channel, default 8; 0: any number
  --slot-elements N   verify: elements that a slot holds, default 0: any number
  --on NETWORK        synthesise: ring:8, mesh:4x6, torus:8x8, complete:8, irregular:RANKS:MORE_LINKS
  --chunks N          synthesise: that the part of a rank is cut into, default 1
  --write FILE        synthesise: the schedule in the text form
  --measured FILE     calibrate: a table of measured times, fitted on even rows and tested on odd ones
  --to FORM           convert: text (default) or msccl
  --seed N            verify: of counts, routings and roots that are drawn, default 1
  --help
Exit code: 0 proven, 5 refuted: the step, rank and elements are printed.
)";

struct Arguments {
  std::string ranks, elements, root = "0", rank, set, slots = "8", slot_elements = "0", seed = "1", to = "text", on,
                               chunks = "1", write, measured;
  bool all = false, help = false;
  std::vector<std::string_view> names;
};

constexpr std::uint64_t many = 1U << 30;

std::pair<int, int> range(const std::string& text, const char* standard) {
  const std::string all = text.empty() ? standard : text;
  const std::size_t dots = all.find("..");
  const auto low = whole("--ranks", all.substr(0, dots), 1, many);
  const auto high = dots == std::string::npos ? low : whole("--ranks", all.substr(dots + 2), low, many);
  return {static_cast<int>(low), static_cast<int>(high)};
}

plan::Parameters parameters(const std::string& text) {
  plan::Parameters p;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t equal = one.find('=');
    if (equal == std::string::npos) throw ConfigError(fmt::format("error: --set: '{}' is not NAME=VALUE", one));
    p.set(one.substr(0, equal), static_cast<std::int64_t>(whole("--set", one.substr(equal + 1), 0, UINT64_MAX / 4)));
    at = end + 1;
  }
  return p;
}

int list() {
  for (const plan::Algorithm& a : plan::algorithms()) {
    fmt::print("{:32} {:15} {} ({})\n", a.name, plan::name(a.kind), a.summary, a.source);
    for (const plan::Parameter& p : a.parameters)
      fmt::print("{:32} {:15}   --set {}={}  {}\n", "", "", p.name, p.standard, p.meaning);
  }
  return 0;
}

plan::Schedule chosen(const Arguments& a) {
  if (plan::names_a_file(a.names.at(1))) return plan::read_schedule(std::string(a.names[1]));
  Random random(whole("--seed", a.seed, 0, many));
  const plan::Algorithm& algorithm = plan::algorithm(a.names.at(1));
  const int ranks = range(a.ranks, "4").first;
  plan::Collective c = plan::sample_collective(
      algorithm.kind, ranks,
      static_cast<std::int64_t>(whole("--elements", a.elements.empty() ? "16" : a.elements, 0, many)), random);
  c.root = static_cast<int>(whole("--root", a.root, 0, static_cast<std::uint64_t>(ranks) - 1));
  return plan::make_schedule(algorithm, c, parameters(a.set));
}

int convert(const Arguments& a) {
  if (a.to != "text" && a.to != "msccl")
    throw ConfigError(fmt::format("error: --to {}: text or msccl is possible", a.to));
  const plan::Schedule s = chosen(a);
  std::fputs((a.to == "text" ? plan::write_text(s) : plan::write_msccl_xml(s)).c_str(), stdout);
  return 0;
}

int show(const Arguments& a) {
  const plan::Schedule s = chosen(a);
  const plan::Collective& c = s.collective;
  fmt::print("{}: {} of {} ranks, {} elements.", s.algorithm, plan::name(c.kind), c.ranks, c.count);
  if (const plan::Algorithm* known = plan::algorithms().find(a.names.at(1)))
    fmt::print(" {}\n{}", known->summary, known->source);
  fmt::print("\n");
  const auto only =
      a.rank.empty() ? -1 : static_cast<int>(whole("--rank", a.rank, 0, static_cast<std::uint64_t>(c.ranks) - 1));
  for (int r = 0; r < c.ranks; ++r) {
    if (only >= 0 && r != only) continue;
    for (int stream = 0; stream < s.streams; ++stream) {
      fmt::print("rank {} stream {}\n", r, stream);
      std::int64_t number = 0;
      for (auto steps = s.steps(r, stream); const plan::Step* step = steps.next(); ++number)
        fmt::print("  {:4} {}\n", number, describe(*step));
    }
  }
  return 0;
}

int verify(const Arguments& a) {
  const auto [low, high] = range(a.ranks, "1..64");
  const plan::Target target{static_cast<std::int64_t>(whole("--slots", a.slots, 0, many)),
                            static_cast<std::int64_t>(whole("--slot-elements", a.slot_elements, 0, many)), true};
  int refuted = 0;
  std::vector<const plan::Algorithm*> chosen;
  if (a.all)
    for (const plan::Algorithm& one : plan::algorithms()) chosen.push_back(&one);
  bool files = false;
  for (std::size_t i = 1; i < a.names.size(); ++i) {
    if (!plan::names_a_file(a.names[i])) {
      chosen.push_back(&plan::algorithm(a.names[i]));
      continue;
    }
    files = true;
    const plan::Schedule s = plan::read_schedule(std::string(a.names[i]));
    const plan::Proof p = plan::verify(s, target);
    refuted += !p.holds;
    const std::string what = fmt::format("{} of {} ranks, {} elements, {} steps", plan::name(s.collective.kind),
                                         s.collective.ranks, s.collective.count, p.steps);
    fmt::print("{}: {}\n", a.names[i], p.holds ? "proven: " + what : "REFUTED: " + p.counter_example);
  }
  if (chosen.empty() && !files) throw ConfigError("error: which algorithm? Give its name, or --all");
  Random random(whole("--seed", a.seed, 0, many));
  for (const plan::Algorithm* one : chosen) {
    std::int64_t proofs = 0, steps = 0, unfit = 0;
    std::string fault;
    for (int ranks = low; ranks <= high && fault.empty(); ++ranks) {
      std::vector<std::int64_t> sizes = {0, 1, 2 * std::int64_t{ranks}, 3 * std::int64_t{ranks} + 1};
      if (!a.elements.empty()) sizes = {static_cast<std::int64_t>(whole("--elements", a.elements, 0, many))};
      for (const std::int64_t count : sizes) {
        plan::Collective c = plan::sample_collective(one->kind, ranks, count, random);
        if (low == high) c.root = static_cast<int>(whole("--root", a.root, 0, static_cast<std::uint64_t>(ranks) - 1));
        const auto schedule = plan::sample_schedule(*one, c, parameters(a.set));
        if (!schedule) {
          ++unfit;
          continue;
        }
        const plan::Proof p = plan::verify(*schedule, target);
        ++proofs, steps += p.steps;
        if (p.holds) continue;
        fault = fmt::format("{} ranks, {} elements, root {}: {}", ranks, count, c.root, p.counter_example);
        break;
      }
    }
    refuted += !fault.empty();
    if (fault.empty())
      fmt::print("{:32} proven for {} ranks, {} cases, {} steps{}\n", one->name,
                 low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high), proofs, steps,
                 unfit ? fmt::format("; {} cases do not fit it", unfit) : "");
    else
      fmt::print("{:32} REFUTED for {}\n", one->name, fault);
    std::fflush(stdout);
  }
  return refuted ? static_cast<int>(ExitCode::violation) : 0;
}

int run(const std::vector<std::string_view>& words) {
  if (words.size() >= 2 && words[0] == "run" && !words[1].starts_with("--")) {
    std::vector<std::string_view> rest{plan::names_a_file(words[1]) ? "--schedule" : "--algorithm", words[1]};
    rest.insert(rest.end(), words.begin() + 2, words.end());
    return run_command().run(rest);
  }
  Arguments a;
  std::vector<std::string_view> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--")) {
      if (words[i] == "--set" && i + 1 < words.size()) {
        a.set += (a.set.empty() ? "" : ",") + std::string(words[++i]);
        continue;
      }
      rest.push_back(words[i]);
      const bool flag = words[i] == "--all" || words[i] == "--help" || words[i].find('=') != std::string_view::npos;
      if (!flag && i + 1 < words.size()) rest.push_back(words[++i]);
    } else {
      a.names.push_back(words[i]);
    }
  }
  Options o;
  o.value({"--ranks"}, a.ranks);
  o.value({"--elements"}, a.elements);
  o.value({"--root"}, a.root);
  o.value({"--rank"}, a.rank);
  o.value({"--slots"}, a.slots);
  o.value({"--slot-elements"}, a.slot_elements);
  o.value({"--seed"}, a.seed);
  o.value({"--to"}, a.to);
  o.value({"--measured"}, a.measured);
  o.value({"--on"}, a.on);
  o.value({"--chunks"}, a.chunks);
  o.value({"--write"}, a.write);
  o.flag({"--all"}, a.all);
  o.flag({"--help"}, a.help);
  o.parse(rest);
  if (a.help || a.names.empty()) {
    std::printf("%s", help);
    return a.help ? 0 : static_cast<int>(ExitCode::bad_input);
  }
  if (a.names[0] == "list") return list();
  if (a.names[0] == "verify") return verify(a);
  if (a.names[0] == "show" && a.names.size() == 2) return show(a);
  if (a.names[0] == "synthesise" && a.names.size() == 2)
    return synthesise({a.names[1], a.on, a.write,
                       static_cast<std::int64_t>(whole("--elements", a.elements.empty() ? "0" : a.elements, 0, many)),
                       static_cast<int>(whole("--chunks", a.chunks, 1, 1024)), whole("--seed", a.seed, 0, many)});
  if (a.names[0] == "calibrate" && a.names.size() == 1) return calibrate(a.measured);
  if (a.names[0] == "convert" && a.names.size() == 2) return convert(a);
  throw ConfigError(
      fmt::format("error: tutti algo {}: unknown, or without a name; known: list, show NAME, verify NAME|--all, "
                  "convert NAME, synthesise KIND, calibrate, run NAME",
                  a.names[0]));
}

}  // namespace

Command algo_command() { return {"algo", "lists, shows and proves collective algorithms", run}; }

}  // namespace tutti::app
