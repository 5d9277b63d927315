#include "workload/system_config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "plan/algorithm.h"
#include "workload/json_input.h"

namespace tutti::workload {
namespace {

using Json = nlohmann::json;

class SystemReader {
 public:
  SystemReader(JsonInput& input, const Rules& rules, std::size_t dimensions)
      : in_(input), rules_(rules), dimensions_(dimensions) {}

  const Json* find(const char* key) {
    known_.insert(key);
    const auto it = in_.root().find(key);
    return it == in_.root().end() ? nullptr : &*it;
  }

  bool text(const char* key, std::string& out) {
    const Json* v = find(key);
    if (!v) return false;
    if (!v->is_string()) return in_.fault(key, fmt::format("{}: text is needed", key)), false;
    out = v->get<std::string>();
    return true;
  }

  bool number(const char* key, double low, double& out) {
    const Json* v = find(key);
    if (!v) return false;
    if (!v->is_number()) return in_.fault(key, fmt::format("{}: a number is needed", key)), false;
    const double value = v->get<double>();
    if (!(value >= low) || value > 1e18)
      return in_.fault(key, fmt::format("{}: {} is out of range; at least {}", key, value, low)), false;
    out = value;
    return true;
  }

  /// Fractions are truncated, as the format has it. In tutti semantics they are refused.
  bool whole(const char* key, std::uint64_t low, std::uint64_t& out) {
    double value = 0;
    if (!number(key, static_cast<double>(low), value)) return false;
    if (!rules_.loose_json && value != std::floor(value))
      return in_.fault(key, fmt::format("{}: a whole number is needed", key)), false;
    out = static_cast<std::uint64_t>(value);
    return true;
  }

  bool flag(const char* key) {
    const Json* v = find(key);
    if (!v) return false;
    if (v->is_boolean()) return rules_.loose_json || v->get<bool>();  // G26: in ASTRA-sim false is not 0
    if (v->is_number() && (rules_.loose_json || *v == 0 || *v == 1)) return *v != 0;
    return in_.fault(key, fmt::format("{}: true, false, 0 or 1 is needed", key)), false;
  }

  template <class T>
  void choice(const char* key, std::initializer_list<std::pair<const char*, T>> choices, T& out) {
    std::string value;
    if (!text(key, value)) return;
    std::string names;
    for (const auto& [name, meaning] : choices) {
      if (value == name) return void(out = meaning);
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    in_.fault(key, fmt::format("{}: unknown value '{}'; known: {}", key, value, names));
  }

  void implementation(CollectiveOp op, SystemConfig::Implementation& out) {
    const std::string key = std::string(to_string(op)) + "-implementation";
    if (const Json* v = find(key.c_str())) {
      if (!v->is_array() || v->empty())
        return in_.fault(key, fmt::format("{}: a list of algorithm names is needed, one a dimension", key));
      for (const Json& entry : *v) {
        AlgorithmChoice choice;
        std::string why;
        if (!entry.is_string())
          in_.fault(key, fmt::format("{}: names are needed", key));
        else if (!parse(entry.get<std::string>(), choice, why))
          in_.fault(key, fmt::format("{}: {}", key, why));
        else if (choice.kind == Algorithm::planned && rules_.astra)
          in_.fault(key,
                    fmt::format("{}: '{}' is unknown to ASTRA-sim; use --semantics tutti", key, to_string(choice)));
        else if (choice.kind == Algorithm::planned && plan::algorithm(choice.planned).kind != plan_kind(op))
          in_.fault(key, fmt::format("{}: '{}' does {}", key, to_string(choice),
                                     plan::name(plan::algorithm(choice.planned).kind)));
        else if (choice.kind != Algorithm::planned && static_cast<int>(op) >= astra_collective_ops)
          in_.fault(key, fmt::format("{}: '{}' cannot do it; give plan:<name>", key, to_string(choice)));
        else
          out.dimensions.push_back(choice);
        if (!out.dimensions.empty() && out.dimensions.front().one_dimension) break;  // the rest has no meaning
      }
      check_length(key, out.dimensions);
    }
    const std::string custom = key + "-custom";
    if (const Json* v = find(custom.c_str())) {
      if (!v->is_array() || v->size() != 1 || !v->front().is_string())
        return in_.fault(custom, fmt::format("{}: a list with one path prefix is needed", custom));
      out.custom = v->front().get<std::string>();
    }
  }

  void unknown_keys(SystemConfig& c) {
    static const std::set<std::string> unread = {"boost-mode", "intra-dimension-scheduling",
                                                 "inter-dimension-scheduling"};
    static const std::set<std::string> refused = {"model-shared-bus", "track-local-mem"};
    static const std::set<std::string> only_with_them = {
        "L", "o", "g", "G", "local-reduction-delay", "local-mem-trace-filename", "trace-enabled"};
    for (const auto& [key, value] : in_.root().items()) {
      if (known_.count(key)) continue;
      if (refused.count(key)) {
        if (value != 0 && !(value.is_boolean() && !value.get<bool>()))
          in_.fault(key, fmt::format("{}: this model is not supported", key));
      } else if (unread.count(key)) {
        c.warnings.push_back(fmt::format("{}: warning: {} has no effect", in_.place(key), key));
      } else if (!only_with_them.count(key)) {
        if (rules_.loose_json)
          c.warnings.push_back(fmt::format("{}: warning: unknown key '{}' is ignored", in_.place(key), key));
        else
          in_.fault(key, fmt::format("unknown key '{}'", key));
      }
    }
  }

 private:
  void check_length(const std::string& key, const std::vector<AlgorithmChoice>& list) {
    if (list.empty() || list.front().one_dimension) return;
    for (const AlgorithmChoice& c : list)
      if (c.one_dimension)
        return in_.fault(
            key, fmt::format("{}: '{}' stands for all dimensions and must be the first entry", key, to_string(c)));
    if (list.size() > dimensions_)
      in_.fault(key, fmt::format("{}: {} entries for a network of {} dimensions", key, list.size(), dimensions_));
    if (list.size() < dimensions_ && !rules_.short_lists)
      in_.fault(key, fmt::format("{}: {} entries for a network of {} dimensions: the others would take no part; give "
                                 "one a dimension, or a name that starts with one...",
                                 key, list.size(), dimensions_));
  }

  JsonInput& in_;
  const Rules& rules_;
  std::size_t dimensions_;
  std::set<std::string, std::less<>> known_;
};

void read_per_node(SystemConfig& c, const std::string& file, JsonInput& in) {
  const char* const key = "per-node-custom-implementation";
  YAML::Node root;
  try {
    root = YAML::LoadFile(file);
  } catch (const YAML::Exception& e) {
    return in.fault(key, fmt::format("{}: {}: {}", key, file, e.what()));
  }
  if (!root.IsMap()) return in.fault(key, fmt::format("{}: {} must map node ids to path prefixes", key, file));
  for (const auto& entry : root) {
    std::uint64_t id = 0;
    if (!entry.first.IsScalar() || !YAML::convert<std::uint64_t>::decode(entry.first, id) || !entry.second.IsScalar())
      in.fault(key, fmt::format("{}: {}:{}: a node id and a path prefix are needed", key, file,
                                entry.first.Mark().line + 1));
    else
      c.per_node_custom[id] = entry.second.Scalar();
  }
}

}  // namespace

std::string_view to_string(CollectiveOp op) {
  constexpr std::string_view names[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast",
                                        "reduce",     "gather",     "scatter",        "barrier"};
  return names[static_cast<int>(op)];
}

plan::CollectiveKind plan_kind(CollectiveOp op) {
  using K = plan::CollectiveKind;
  constexpr K kinds[] = {K::all_reduce, K::all_gather, K::reduce_scatter, K::all_to_all, K::broadcast,
                         K::reduce,     K::gather,     K::scatter,        K::barrier};
  return kinds[static_cast<int>(op)];
}

SystemConfig default_system(std::size_t dimensions) {
  SystemConfig c;
  for (int op = 0; op < astra_collective_ops; ++op)
    c.implementation[static_cast<std::size_t>(op)].dimensions.assign(dimensions, AlgorithmChoice{});
  c.local_mem_bw = 1600;
  return c;
}

static SystemConfig read_system(JsonInput in, const std::string& path, std::size_t dimensions, double injection_scale,
                                const Rules& rules) {
  SystemReader r(in, rules, dimensions);
  SystemConfig c;
  c.path = path;
  r.choice<SystemConfig::Scheduling>("scheduling-policy",
                                     {{"LIFO", SystemConfig::Scheduling::lifo},
                                      {"FIFO", SystemConfig::Scheduling::fifo},
                                      {"EXPLICIT", SystemConfig::Scheduling::explicit_priority}},
                                     c.scheduling);
  r.choice<bool>("collective-optimization", {{"baseline", false}, {"localBWAware", true}}, c.local_bw_aware);
  double delay = static_cast<double>(c.endpoint_delay_ns);
  const bool given = r.number("endpoint-delay", 0, delay);
  if (rules.astra) delay = std::trunc(delay);
  if (given || !rules.unscaled_default_delay) delay *= injection_scale;
  if (!(delay < 1e12))
    in.fault("endpoint-delay", "endpoint-delay: less than 1e12 ns is needed, injection scale included");
  else
    c.endpoint_delay_ns = static_cast<std::uint64_t>(delay);
  r.whole("active-chunks-per-dimension", 1, c.active_chunks);
  if (!r.whole("preferred-dataset-splits", 1, c.splits) && rules.astra &&
      !in.root().contains("preferred-dataset-splits"))
    in.fault("preferred-dataset-splits", "preferred-dataset-splits is missing: ASTRA-sim then divides by zero");
  for (int op = 0; op < (rules.astra ? astra_collective_ops : collective_ops); ++op)
    r.implementation(static_cast<CollectiveOp>(op), c.implementation[static_cast<std::size_t>(op)]);
  if (std::string file; r.text("per-node-custom-implementation", file)) read_per_node(c, file, in);
  r.number("local-mem-bw", rules.free_reduction ? 0 : std::numeric_limits<double>::min(), c.local_mem_bw);
  r.number("peak-perf", 0, c.peak_perf);
  c.roofline = r.flag("roofline-enabled");
  c.replay_only = r.flag("replay-only");
  if (c.roofline && (!(c.peak_perf > 0) || !(c.local_mem_bw > 0)))
    in.fault("roofline-enabled", "roofline-enabled: peak-perf and local-mem-bw above 0 are needed");
  r.unknown_keys(c);
  in.finish();
  return c;
}

SystemConfig parse_system(const std::string& text, const std::string& path, std::size_t dimensions,
                          double injection_scale, const Rules& rules) {
  return read_system(JsonInput(text, path), path, dimensions, injection_scale, rules);
}

SystemConfig read_system_file(const std::string& path, std::size_t dimensions, double injection_scale,
                              const Rules& rules) {
  return read_system(JsonInput::from_file(path), path, dimensions, injection_scale, rules);
}

}  // namespace tutti::workload
