#include "app/cli/algo_synthesise.h"

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "base/error.h"
#include "base/terminal.h"
#include "plan/algorithm.h"
#include "plan/formats/text.h"
#include "plan/synthesise.h"
#include "plan/verify.h"

namespace tutti::app {
namespace {

/// "torus:8x8", "irregular:100:50".
plan::Network network_of(const std::string& text, std::uint64_t seed) {
  const std::size_t colon = text.find(':');
  const std::string shape = text.substr(0, colon);
  std::vector<int> numbers;
  for (std::size_t at = colon; at != std::string::npos && at < text.size();) {
    const std::size_t end = text.find_first_of(":x", at + 1);
    numbers.push_back(static_cast<int>(whole("--on", text.substr(at + 1, end - at - 1), 0, 1 << 20)));
    at = end;
  }
  const auto need = [&](std::size_t n) {
    if (n > 0 && numbers.size() == n && numbers[0] >= 1) return numbers;
    throw ConfigError(fmt::format("error: --on {}: ring:8, mesh:4x6, torus:8x8, complete:8 or irregular:100:50", text));
  };
  if (shape == "ring") return plan::ring_network(need(1)[0]);
  if (shape == "complete") return plan::complete_network(need(1)[0]);
  if (shape == "irregular") return plan::irregular_network(need(2)[0], numbers[1], seed);
  const auto sides = need(shape == "mesh" || shape == "torus" ? 2 : 0);
  return plan::mesh_network(sides[0], std::max(sides[1], 1), shape == "torus");
}

}  // namespace

int synthesise(const SynthesiseArguments& a) {
  const plan::Network network = network_of(a.network, a.seed);
  plan::Collective c;
  c.kind = plan::collective_kind(a.kind), c.ranks = network.ranks;
  c.count = a.elements > 0 ? a.elements : std::int64_t{4096} * c.ranks;
  const plan::Schedule made = plan::synthesise(c, network, Bytes(1), {a.seed, a.chunks});
  const plan::Proof proof = plan::verify(made, {0, 0, true});
  if (!proof.holds) {
    fmt::print("REFUTED: {}\n", proof.counter_example);
    return static_cast<int>(ExitCode::violation);
  }
  const Time time = plan::estimate(made, network, Bytes(1));
  const Time bound = plan::synthesis_bound(c, network, Bytes(1), a.chunks);
  fmt::print("{} of {} bytes on {}: {} ranks, {} links of 500 ns + bytes / 50 GB/s\n", a.kind, c.count, a.network,
             c.ranks, network.links.size());
  fmt::print("proven: {} steps, {} messages, seed {}\n", proof.steps, proof.messages, a.seed);
  Table table({"schedule", ">time us", ">of the synthesised"});
  const auto row = [&](std::string_view name, Time t) {
    table.add({std::string(name), fmt::format("{:.3f}", t.ns() / 1000), fmt::format("{:.2f}", t.ns() / time.ns())});
  };
  row("bound of messages of this size", bound);
  row("synthesised", time);
  for (const plan::Algorithm& algorithm : plan::algorithms()) {
    if (algorithm.kind != c.kind || c.ranks > 256) continue;  // all messages of an estimate are in memory
    if (algorithm.unfit && !algorithm.unfit(c, plan::effective_parameters(algorithm, {})).empty()) continue;
    const plan::Schedule s = plan::make_schedule(algorithm, c);
    row(algorithm.name, plan::estimate(s, network, Bytes(1)));
  }
  std::fputs(table.text().c_str(), stdout);
  if (!a.write.empty()) write_file(a.write, plan::write_text(made));
  return 0;
}

}  // namespace tutti::app
