#include "workload/gen/simple.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace tutti::workload::gen {
namespace {
constexpr std::array<std::pair<std::string_view, CollectiveKind>, 4> kinds = {{
    {"all-reduce", CollectiveKind::all_reduce},
    {"all-gather", CollectiveKind::all_gather},
    {"reduce-scatter", CollectiveKind::reduce_scatter},
    {"all-to-all", CollectiveKind::all_to_all},
}};
}

CollectiveKind parse_collective(std::string_view text) {
  for (const auto& [name, kind] : kinds)
    if (name == text) return kind;
  throw ConfigError(
      fmt::format("error: unknown collective '{}'; known: all-reduce, all-gather, reduce-scatter, all-to-all", text));
}

void CollectiveSpec::check() const {
  if (ranks == 0 || count == 0) throw ConfigError("error: at least one rank and one collective are needed");
  if (bytes > INT64_MAX) throw ConfigError("error: more bytes than a trace can hold");
  if (group == 1) throw ConfigError("error: a group needs two ranks");
  if (group != 0 && ranks % group != 0)
    throw ConfigError(fmt::format("error: {} ranks cannot be split into groups of {}", ranks, group));
}

std::string CollectiveSpec::groups() const {
  if (group == 0) return {};
  std::string text = "{";
  for (std::uint32_t g = 0; g < ranks / group; ++g) {
    text += fmt::format("{}\n  \"{}\": [", g ? "," : "", g + 1);
    for (std::uint32_t r = 0; r < group; ++r) text += fmt::format("{}{}", r ? ", " : "", g * group + r);
    text += "]";
  }
  return text + "\n}\n";
}

std::vector<NodeSpec> collective_trace(const CollectiveSpec& s, std::uint32_t rank) {
  std::vector<NodeSpec> nodes;
  const auto next = [&](NodeType type, std::string name) -> NodeSpec& {
    NodeSpec n;
    n.id = nodes.size() + 1;
    n.name = std::move(name);
    n.type = type;
    n.is_cpu_op = false;
    if (!nodes.empty()) n.data_deps = {nodes.back().id};
    nodes.push_back(std::move(n));
    return nodes.back();
  };
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (s.compute_us != 0) next(NodeType::comp, fmt::format("compute{}", i)).duration_us = s.compute_us;
    NodeSpec& n = next(NodeType::comm_coll, fmt::format("{}{}", to_string(s.kind), i));
    n.collective = s.kind;
    n.comm_size = static_cast<std::int64_t>(s.bytes);
    if (s.group != 0) n.pg_name = std::to_string(rank / s.group + 1);
  }
  return nodes;
}

std::int32_t boundary_tag(const Pipeline& p, bool one_tag, const Pass& pass, std::uint32_t chunk) {
  if (one_tag && p.chunks == 1) return 0;
  const std::uint32_t kind = 2 * chunk + (pass.backward ? 1 : 0);
  return static_cast<std::int32_t>(one_tag ? kind : pass.microbatch * 2 * p.chunks + kind);
}

std::vector<NodeSpec> pipeline_trace(const PipelineSpec& s, std::uint32_t stage) {
  std::vector<NodeSpec> nodes;
  const Pipeline& p = s.pipeline;
  std::vector<std::uint64_t> before;
  for (const Pass& pass : passes(p, stage)) {
    const std::uint32_t virtual_stage = pass.chunk * p.stages + stage;
    const bool first = virtual_stage == 0, last = virtual_stage + 1 == p.virtual_stages();
    const auto add = [&](NodeType type, const char* what, std::vector<std::uint64_t> after) -> NodeSpec& {
      NodeSpec n;
      n.id = nodes.size() + 1;
      n.name = fmt::format("mb{}.{}.chunk{}.{}", pass.microbatch, pass.backward ? "bwd" : "fwd", pass.chunk, what);
      n.type = type;
      n.is_cpu_op = false;
      n.data_deps = std::move(after);
      nodes.push_back(std::move(n));
      return nodes.back();
    };
    const std::uint32_t earlier = (stage + p.stages - 1) % p.stages, later = (stage + 1) % p.stages;
    // Of a boundary between two chunks the earlier side is on the last stage.
    const std::uint32_t above = stage == 0 ? pass.chunk - 1 : pass.chunk;
    if (!(pass.backward ? last : first)) {
      NodeSpec& n = add(NodeType::comm_recv, "recv", {});
      n.comm_src = static_cast<std::int32_t>(pass.backward ? later : earlier);
      n.comm_dst = static_cast<std::int32_t>(stage);
      n.comm_size = static_cast<std::int64_t>(s.bytes);
      n.comm_tag = boundary_tag(p, s.one_tag, pass, pass.backward ? pass.chunk : above);
      before.push_back(n.id);
    }
    NodeSpec& work = add(NodeType::comp, "compute", std::move(before));
    work.duration_us = pass.backward ? s.backward_us : s.forward_us;
    before = {work.id};
    if (!(pass.backward ? first : last)) {
      NodeSpec& n = add(NodeType::comm_send, "send", before);
      n.comm_src = static_cast<std::int32_t>(stage);
      n.comm_dst = static_cast<std::int32_t>(pass.backward ? earlier : later);
      n.comm_size = static_cast<std::int64_t>(s.bytes);
      n.comm_tag = boundary_tag(p, s.one_tag, pass, pass.backward ? above : pass.chunk);
    }
  }
  return nodes;
}

}  // namespace tutti::workload::gen
