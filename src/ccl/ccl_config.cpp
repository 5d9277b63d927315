#include "ccl/ccl_config.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "ccl/defaults.h"
#include "ccl/kernel.h"
#include "plan/algorithm.h"

namespace tutti::ccl {
namespace {

constexpr Choice<BufferKind> buffer_kinds[] = {
    {"tcm", BufferKind::tcm}, {"hbm", BufferKind::hbm}, {"sram", BufferKind::sram}};
constexpr Choice<Protocol> protocols[] = {{"ipcq", Protocol::ipcq},
                                          {"doorbell", Protocol::doorbell},
                                          {"message_queue", Protocol::message_queue},
                                          {"completion_queue", Protocol::completion_queue},
                                          {"credit_in_data", Protocol::credit_in_data}};
constexpr Choice<Backpressure> backpressures[] = {{"poll", Backpressure::poll}, {"sleep", Backpressure::sleep}};
constexpr Choice<CreditMode> credit_modes[] = {{"fast_path", CreditMode::fast_path},
                                               {"link", CreditMode::link},
                                               {"vc_mux", CreditMode::vc_mux},
                                               {"piggyback", CreditMode::piggyback}};
constexpr Choice<CreditWait> credit_waits[] = {{"blocking", CreditWait::blocking}, {"posted", CreditWait::posted}};
constexpr Choice<CreditLatency> credit_latencies[] = {{"full_path", CreditLatency::full_path},
                                                      {"bottleneck_only", CreditLatency::bottleneck_only}};
constexpr Choice<SlotRelease> slot_releases[] = {{"scoped", SlotRelease::scoped}, {"at_recv", SlotRelease::at_recv}};
constexpr Choice<Fairness> fairnesses[] = {{"weak", Fairness::weak}, {"strict", Fairness::strict}};
constexpr Choice<RankUnit> rank_units[] = {{"pe", RankUnit::pe}, {"cube", RankUnit::cube}, {"sip", RankUnit::sip}};
constexpr Choice<InitTransport> init_transports[] = {{"sideband", InitTransport::sideband},
                                                     {"fabric", InitTransport::fabric}};

/// A size that the seed writes as a bare number of bytes.
Bytes size(const ConfigValue& value, Bytes fallback, Range<Bytes> range) {
  const std::string text = value.text(std::to_string(fallback.count()));
  const bool bare =
      !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  Bytes bytes;
  std::string why;
  if (!parse(bare ? text + " B" : text, bytes, why)) {
    value.fault(bare ? "too large" : why);
    return fallback;
  }
  if (bytes < range.low || bytes > range.high) {
    value.fault(fmt::format("{} is not from {} to {}", to_string(bytes), to_string(range.low), to_string(range.high)));
    return fallback;
  }
  return bytes;
}

/// Reads the keys that are there; what is not keeps its value in `s`.
void read_credit(const ConfigMap& map, QueueSettings& s) {
  const auto given = [&map](const char* key) { return map.has(key); };
  if (given("mode")) s.credit_mode = map.choice("mode", credit_modes, s.credit_mode);
  if (given("link_gbs")) s.credit_link = map.bandwidth("link_gbs", s.credit_link);
  if (given("priority")) s.credit_priority = map.boolean("priority", s.credit_priority);
  if (given("wait")) s.credit_wait = map.choice("wait", credit_waits, s.credit_wait);
  if (given("latency")) s.credit_latency = map.choice("latency", credit_latencies, s.credit_latency);
  if (given("bytes")) s.credit_size = map.bytes("bytes", s.credit_size, {.low = Bytes(1), .high = Bytes(4096)});
  if (given("piggyback_timeout_ns"))
    s.piggyback_timeout = map.time("piggyback_timeout_ns", s.piggyback_timeout, {.low = Time::ps(1)});
  if (given("low_water")) s.low_water = map.number("low_water", s.low_water, {.low = 0, .high = 1, .above = true});
}

void read_queue(const ConfigMap& map, QueueSettings& s) {
  const auto given = [&map](const char* key) { return map.has(key); };
  constexpr Bytes most = Bytes(std::int64_t{1} << 30);
  if (given("buffer_kind")) s.buffer_kind = map.choice("buffer_kind", buffer_kinds, s.buffer_kind);
  if (given("protocol")) s.protocol = map.choice("protocol", protocols, s.protocol);
  if (given("backpressure")) s.backpressure = map.choice("backpressure", backpressures, s.backpressure);
  if (given("poll_interval_ns")) s.poll_interval = map.time("poll_interval_ns", s.poll_interval, {.low = Time::ps(1)});
  if (given("slot_size")) s.slot_size = size(map.at("slot_size"), s.slot_size, {.low = Bytes(1), .high = most});
  if (given("vc_chunk_size")) s.vc_chunk = size(map.at("vc_chunk_size"), s.vc_chunk, {.low = Bytes(1), .high = most});
  if (given("vc_weights")) {
    const ConfigMap weights = map.map("vc_weights");
    s.vc_compute_weight = weights.integer("compute", s.vc_compute_weight, {.low = 1, .high = 1000});
    s.vc_comm_weight = weights.integer("comm", s.vc_comm_weight, {.low = 1, .high = 1000});
  }
  if (given("vc_strict_partition")) s.vc_strict_partition = map.boolean("vc_strict_partition", s.vc_strict_partition);
  if (given("ipcq_credit_size_bytes"))
    s.credit_size = map.bytes("ipcq_credit_size_bytes", s.credit_size, {.low = Bytes(1), .high = Bytes(4096)});
  if (given("credit")) read_credit(map.map("credit"), s);
  if (given("slot_release")) s.slot_release = map.choice("slot_release", slot_releases, s.slot_release);
  if (given("fairness")) s.fairness = map.choice("fairness", fairnesses, s.fairness);
  if (given("rank_unit")) s.rank_unit = map.choice("rank_unit", rank_units, s.rank_unit);
  if (const ConfigValue grid = map.at("grid"); grid.given()) {
    const auto sides = grid.list();
    if (sides.size() != 2) {
      grid.fault("[rows, columns] is needed");
    } else {
      s.grid = Grid{static_cast<int>(sides[0].integer(1, {.low = 1, .high = 1 << 20})),
                    static_cast<int>(sides[1].integer(1, {.low = 1, .high = 1 << 20}))};
    }
  }
  if (given("deadlock")) {
    const ConfigMap deadlock = map.map("deadlock");
    s.quiescence = deadlock.boolean("quiescence", s.quiescence);
    s.deadlock_timeout = deadlock.time("timeout_ns", s.deadlock_timeout, {.low = Time::ps(1)});
    s.live_wait_graph = deadlock.boolean("live_wfg", s.live_wait_graph);
  }
  if (given("init_transport")) {
    s.init_transport = map.choice("init_transport", init_transports, s.init_transport);
    if (s.init_transport == InitTransport::fabric)
      map.at("init_transport").fault("queues are installed before time 0 only: sideband");
  }
  if (given("hw_strict")) s.hw_strict = map.boolean("hw_strict", s.hw_strict);
  if (given("n_slots")) {
    const ConfigValue slots = map.at("n_slots");
    s.n_slots = static_cast<std::uint32_t>(slots.integer(s.n_slots, {.low = 1, .high = 1 << 20}));
    if (s.hw_strict && !std::has_single_bit(s.n_slots))
      slots.fault(fmt::format("{} is no power of two, which hw_strict wants", s.n_slots));
  }
}

/// "tutti.ccl.algorithms.ring_allreduce" names the kernel ring_allreduce.
std::string kernel_name(const std::string& module) { return module.substr(module.rfind('.') + 1); }

CclConfig read(Config config, bool own, const ConfigOverlay& overlay, Modules modules = Modules::own) {
  if (own && !config.root().map("defaults").has("algorithm") && overlay.empty())
    config.root().map("defaults").fault("algorithm is missing: which entry of `algorithms` runs?");
  if (own) config.add_defaults(std::string(default_file("ccl.yaml").text), "ccl.yaml");
  config.apply(overlay);
  const ConfigMap root = config.root();
  const ConfigMap defaults = root.map("defaults");
  CclConfig c;
  read_queue(defaults, c.queue);
  std::vector<std::string> known_topologies, known_kernels, known;
  for (const auto name : topology_names()) known_topologies.emplace_back(name);
  for (const Kernel& k : kernels()) known_kernels.emplace_back(k.name);
  const auto entries = root.map("algorithms").entries();
  for (const auto& [name, value] : entries) known.push_back(name);
  for (const plan::Algorithm& planned : plan::algorithms())
    if (std::find(known.begin(), known.end(), planned.name) == known.end()) known.emplace_back(planned.name);
  const ConfigValue algorithm = defaults.at("algorithm");
  c.algorithm = algorithm.one_of(known);
  c.algorithm_place = algorithm.place();
  c.queue_place = defaults.place();
  if (plan::algorithms().find(c.algorithm)) c.module = "plan:" + c.algorithm, c.module_place = c.algorithm_place;
  for (const auto& [name, value] : entries) {
    const ConfigMap entry = value.map();
    QueueSettings queue = c.queue;
    read_queue(entry, queue);
    const ConfigValue module = entry.at("module");
    const std::string named = entry.text("library", std::string());
    const bool outside = !named.empty();
    std::string text = module.text(outside ? "" : name), library = named;
    if (!outside && text.ends_with(".so")) library = std::exchange(text, {});
    const std::string topology = entry.one_of("topology", known_topologies, std::string());
    const std::string planned = text.starts_with("plan:") ? text.substr(5) : entry.has("module") ? "" : name;
    std::vector<std::pair<std::string, std::int64_t>> parameters;
    if (library.empty() && plan::algorithms().find(planned)) {
      text = "plan:" + planned;
      for (const auto& [key, number] : entry.map("parameters").entries())
        parameters.emplace_back(key, number.integer(0));
    } else {
      text = kernel_name(text);
      if (modules == Modules::own && library.empty() &&
          std::find(known_kernels.begin(), known_kernels.end(), text) == known_kernels.end())
        module.fault(fmt::format("there is no kernel '{}'{}; known: {}; or name a shared library with `library`", text,
                                 did_you_mean(text, known_kernels), fmt::join(known_kernels, ", ")));
    }
    if (name != c.algorithm) continue;
    c.module = text, c.library = library, c.module_text = module.text(name);
    c.module_place = outside ? entry.at("library").place() : module.place();
    c.topology = topology;
    c.parameters = parameters;
    c.queue = queue;
  }
  config.finish();
  const std::string mine = "algorithms." + c.algorithm + ".";
  for (const Setting& s : config.settings())
    if (s.path.starts_with("defaults.") || s.path.starts_with(mine)) c.settings.push_back(s);
  return c;
}

}  // namespace

CclConfig read_ccl_config(const std::string& path, const ConfigOverlay& overlay, Modules modules) {
  if (path.empty())
    return read(Config::built_in(std::string(default_file("ccl.yaml").text), "ccl.yaml"), false, overlay, modules);
  return read(Config::file(path), true, overlay, modules);
}

CclConfig parse_ccl_config(const std::string& text, const std::string& name, const ConfigOverlay& overlay) {
  return read(Config::text(text, name), true, overlay);
}

}  // namespace tutti::ccl
