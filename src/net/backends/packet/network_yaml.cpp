#include "net/backends/packet/network_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/config.h"
#include "net/backends/packet/generator.h"

namespace tutti::net::packet {
namespace {

constexpr Choice<Congestion> congestion_names[] = {{"none", Congestion::none},   {"dcqcn", Congestion::dcqcn},
                                                   {"hpcc", Congestion::hpcc},   {"timely", Congestion::timely},
                                                   {"dctcp", Congestion::dctcp}, {"pint", Congestion::pint}};
constexpr Choice<bool> path_names[] = {{"hash", false}, {"spray", true}};

std::uint64_t rate(const ConfigMap& keys, const char* key, std::uint64_t fallback) {
  return static_cast<std::uint64_t>(
      keys.bandwidth(key, Bandwidth::bits_per_second(static_cast<std::int64_t>(fallback))).bits_per_second());
}
std::int64_t whole_us(const ConfigMap& keys, const char* key, std::int64_t fallback) {
  const ConfigValue v = keys.at(key);
  const std::int64_t ps = v.time(Time::us(fallback), {.low = Time::us(1), .high = Time::s(1000)}).ps();
  if (ps % 1'000'000 != 0) v.fault("whole us are needed");
  return ps / 1'000'000;
}

void read_transport(const ConfigMap& keys, Settings& s) {
  s.congestion = keys.choice("congestion", congestion_names, Congestion::none);
  s.payload =
      static_cast<std::uint32_t>(keys.bytes("payload", Bytes(1000), {.low = Bytes(1), .high = Bytes(1 << 20)}).count());
  s.window = keys.boolean("window", true);
  s.global_window = keys.boolean("global_window", false);
  s.variable_window = keys.boolean("variable_window", false);
  s.pace = keys.boolean("pace", true);
  s.ack_first = keys.boolean("ack_first", false);
  s.min_rate = rate(keys, "min_rate", 100'000'000);
  s.additive_increase = rate(keys, "additive_increase", 50'000'000);
  s.hyper_increase = rate(keys, "hyper_increase", 100'000'000);
  s.dctcp_increase = rate(keys, "dctcp_increase", 1'000'000'000);
  s.gain = keys.number("gain", 1.0 / 256, {.low = 0, .high = 1});
  s.dcqcn.alpha_interval_us = whole_us(keys, "alpha_interval", 55);
  s.dcqcn.decrease_interval_us = whole_us(keys, "decrease_interval", 4);
  s.dcqcn.increase_timer_us = whole_us(keys, "increase_timer", 900);
  s.hpcc.target = keys.number("target_utilization", 0.95, {.low = 0.01, .high = 1});
  s.retransmit_ps = keys.time("timeout", Time::us(100), {.low = Time::ns(1), .high = Time::s(1000)}).ps();
  s.retries = static_cast<std::uint32_t>(keys.integer("retries", 15, {.low = 0, .high = 1000}));
}

void read_switches(const ConfigMap& keys, const Topology& t, Settings& s) {
  s.buffer = static_cast<std::uint64_t>(
      keys.bytes("buffer", Bytes(32 << 20), {.low = Bytes(1), .high = Bytes(std::int64_t{1} << 40)}).count());
  s.pfc = keys.boolean("pfc", true);
  s.spray = keys.choice("paths", path_names, false);
  const ConfigValue ecn = keys.at("ecn");
  for (const ConfigValue& one : ecn.list()) {
    const ConfigMap e = one.map();
    EcnThreshold x;
    x.rate = static_cast<std::uint64_t>(e.bandwidth("rate").bits_per_second());
    x.kmin = static_cast<std::uint64_t>(e.bytes("kmin").count());
    x.kmax = static_cast<std::uint64_t>(e.bytes("kmax").count());
    x.pmax = e.number("pmax", 1.0, {.low = 0, .high = 1});
    if (x.kmin > x.kmax) e.fault("kmin exceeds kmax");
    if (std::ranges::find(s.ecn_thresholds, x.rate, &EcnThreshold::rate) != s.ecn_thresholds.end())
      e.at("rate").fault("this rate occurs twice");
    s.ecn_thresholds.push_back(x);
  }
  s.ecn = ecn.given();
  if (s.congestion != Congestion::dcqcn && s.congestion != Congestion::dctcp) return;
  std::set<std::uint64_t> lacking;
  for (const Cable& c : t.cables)
    if ((t.is_switch[static_cast<std::size_t>(c.a)] || t.is_switch[static_cast<std::size_t>(c.b)]) &&
        std::ranges::find(s.ecn_thresholds, c.rate, &EcnThreshold::rate) == s.ecn_thresholds.end())
      lacking.insert(c.rate);
  for (const std::uint64_t r : lacking)
    ecn.fault(fmt::format("no thresholds for ports of {}, which {} needs: {{rate, kmin, kmax, pmax}}",
                          to_string(Bandwidth::bits_per_second(static_cast<std::int64_t>(r))),
                          to_string(s.congestion)));
}

void read_ranks(const ConfigMap& keys, const Topology& t, LogicalTopology& out) {
  const std::int64_t nodes = t.nodes;
  const ConfigValue where = keys.at("hosts");
  if (where.given()) {
    std::set<std::int64_t> taken;
    for (const ConfigValue& one : where.list()) {
      const std::int64_t h = one.integer();
      if (h < 0 || h >= nodes || t.is_switch[static_cast<std::size_t>(h)])
        one.fault(fmt::format("node {} is no host", h));
      else if (!taken.insert(h).second)
        one.fault(fmt::format("node {} has a rank already", h));
      else
        out.hosts.push_back(static_cast<int>(h));
    }
  } else {
    for (int n = 0; n < t.nodes; ++n)
      if (!t.is_switch[static_cast<std::size_t>(n)]) out.hosts.push_back(n);
  }
  const ConfigValue given = keys.at("dimensions");
  std::int64_t product = 1;
  for (const ConfigValue& one : given.list()) {
    const std::int64_t d = one.integer({}, {.low = 1, .high = 1 << 24});
    out.dimensions.push_back(static_cast<std::uint32_t>(d));
    if (product <= 1 << 24) product *= d;
  }
  if (out.dimensions.empty()) {
    out.dimensions = {static_cast<std::uint32_t>(out.hosts.size())};
  } else if (product != static_cast<std::int64_t>(out.hosts.size())) {
    if (!where.given() && product < static_cast<std::int64_t>(out.hosts.size()))
      out.hosts.resize(static_cast<std::size_t>(product));  // ranks are the first hosts
    else
      given.fault(fmt::format("their product is {}, there are {} hosts for ranks", product, out.hosts.size()));
  }
}

void read_failures(const ConfigMap& root, const Topology& t, Settings& s) {
  for (const ConfigValue& one : root.list("failures")) {
    const ConfigMap f = one.map();
    const auto ends = f.integers("between", {}, {.low = 0, .high = t.nodes - 1});
    LinkFailure x;
    x.down_ps = f.time("down").ps();
    const ConfigValue up = f.at("up");
    if (up.given()) x.up_ps = up.time().ps();
    if (x.up_ps >= 0 && x.up_ps <= x.down_ps) up.fault("is not after down");
    if (ends.size() != 2) {
      f.at("between").fault("the two nodes at the ends are needed");
      continue;
    }
    x.a = static_cast<int>(ends[0]), x.b = static_cast<int>(ends[1]);
    if (std::ranges::none_of(t.cables,
                             [&](const Cable& c) { return (c.a == x.a && c.b == x.b) || (c.a == x.b && c.b == x.a); }))
      f.at("between").fault("there is no cable between them");
    s.failures.push_back(x);
  }
}

NetworkYaml read(Config config) {
  NetworkYaml out;
  const ConfigMap root = config.root();
  const ConfigMap topology = root.map("topology");
  if (!topology.present()) root.at("topology").fault("is needed: {kind: leaf_spine, ...}");
  const std::string kind = topology.one_of("kind", topologies().names());
  if (const TopologyKind* k = topologies().find(kind)) out.topology = k->make(topology);
  read_transport(root.map("transport"), out.settings);
  read_switches(root.map("switches"), out.topology, out.settings);
  out.settings.seed = static_cast<std::uint64_t>(root.integer("seed", 1, {.low = 0}));
  read_ranks(root.map("ranks"), out.topology, out.logical);
  read_failures(root, out.topology, out.settings);
  config.finish();
  return out;
}

}  // namespace

NetworkYaml read_network_yaml(const std::string& path) { return read(Config::file(path)); }
NetworkYaml parse_network_yaml(const std::string& text, const std::string& name) {
  return read(Config::text(text, name));
}

}  // namespace tutti::net::packet
