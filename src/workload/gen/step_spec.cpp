#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "workload/gen/step.h"

namespace tutti::workload::gen {
namespace {

void divides(std::uint64_t parts, std::uint64_t whole, const char* what, const char* by) {
  if (whole % parts != 0)
    throw ConfigError(fmt::format("error: {} {} cannot be split over {} {}", whole, what, by, parts));
}

std::uint32_t& coordinate(Place& p, Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return p.tensor;
    case Axis::expert:
      return p.expert;
    case Axis::pipeline:
      return p.stage;
    case Axis::data:
      break;
  }
  return p.data;
}

std::uint32_t size_of(const StepSpec& s, Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return s.tp;
    case Axis::expert:
      return s.ep;
    case Axis::pipeline:
      return s.pipeline.stages;
    case Axis::data:
      break;
  }
  return s.dp;
}

}  // namespace

std::uint64_t StepSpec::padded_vocabulary() const {
  const std::uint64_t unit = std::uint64_t{128} * tp;
  return (model.vocabulary + unit - 1) / unit * unit;
}

std::uint64_t StepSpec::layers_of(std::uint32_t k) const {
  const std::uint64_t n = pipeline.virtual_stages();
  return model.layers / n + (k < model.layers % n ? 1 : 0);
}

void StepSpec::check() const {
  pipeline.check();
  if (tp == 0 || ep == 0 || dp == 0 || micro_batch == 0 || bytes == 0)
    throw ConfigError("error: at least 1 of every degree, sequence and byte is needed");
  if (std::uint64_t{tp} * ep * pipeline.stages * dp > (1U << 20)) throw ConfigError("error: more than 1048576 ranks");
  if (micro_batch > (1U << 20) || sequence > (1U << 30) || bytes > 16)
    throw ConfigError("error: at most 1048576 sequences of 1073741824 tokens and 16 bytes a value");
  if (model.layers < pipeline.virtual_stages())
    throw ConfigError(fmt::format("error: {} layers cannot be split over {} virtual stages", model.layers,
                                  pipeline.virtual_stages()));
  divides(tp, model.heads, "heads", "tp");
  divides(tp, model.ffn, "columns of the feed-forward block", "tp");
  if (model.kv_heads >= tp) divides(tp, model.kv_heads, "key and value heads", "tp");
  if (ep > 1 && model.experts == 0) throw ConfigError("error: ep needs a model with experts");
  if (model.experts != 0) divides(ep, model.experts, "experts", "ep");
  if (sequence_parallel) divides(tp, tokens(), "tokens", "tp");
  const double t = static_cast<double>(tokens()), h = static_cast<double>(model.hidden);
  const double widest = std::max(static_cast<double>(model.ffn) * static_cast<double>(model.feed_forward_matrices()) *
                                     static_cast<double>(std::max<std::uint64_t>(model.top_k, 1)),
                                 static_cast<double>(padded_vocabulary()) + 2 * t);
  if (8 * t * h * std::max(widest, h) > 9e18) throw ConfigError("error: more than 9e18 operations in one node");
  std::array<bool, 4> seen{};
  for (const Axis a : order) seen[static_cast<std::size_t>(a)] = true;
  if (!std::all_of(seen.begin(), seen.end(), [](bool b) { return b; }))
    throw ConfigError("error: the rank order needs each of tp, ep, pp, dp once");
}

Place place_of(const StepSpec& spec, std::uint32_t rank) {
  Place p;
  for (const Axis a : spec.order) {
    coordinate(p, a) = rank % size_of(spec, a);
    rank /= size_of(spec, a);
  }
  return p;
}

std::uint32_t rank_of(const StepSpec& spec, const Place& place) {
  Place p = place;
  std::uint32_t rank = 0, stride = 1;
  for (const Axis a : spec.order) {
    rank += coordinate(p, a) * stride;
    stride *= size_of(spec, a);
  }
  return rank;
}

StepGroups::StepGroups(const StepSpec& spec) {
  for (auto& names : names_) names.resize(spec.ranks());
  for (const Kind k : {Kind::tensor, Kind::expert, Kind::data, Kind::data_expert}) add(spec, k);
  if (spec.model.tied) add(spec, Kind::embedding);
}

void StepGroups::add(const StepSpec& spec, Kind kind) {
  if (kind == Kind::data_expert && (spec.ep == 1 || spec.dp * spec.ep == 1)) {
    names_[static_cast<std::size_t>(kind)] = names_[static_cast<std::size_t>(Kind::data)];
    return;
  }
  if (kind == Kind::data_expert && spec.dp == 1) {
    names_[static_cast<std::size_t>(kind)] = names_[static_cast<std::size_t>(Kind::expert)];
    return;
  }
  // Ranks that agree in all coordinates but those of the group; the first of them in rank order names it.
  const std::uint32_t last = spec.pipeline.stages - 1;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t r = 0; r < spec.ranks(); ++r) {
    Place p = place_of(spec, r);
    if (kind == Kind::embedding && p.stage != 0 && p.stage != last) continue;
    if (kind == Kind::tensor) p.tensor = 0;
    if (kind == Kind::expert || kind == Kind::data_expert) p.expert = 0;
    if (kind == Kind::data || kind == Kind::data_expert) p.data = 0;
    if (kind == Kind::embedding) p.stage = 0;
    members[rank_of(spec, p)].push_back(r);
  }
  for (auto& [first, ranks] : members) {
    if (ranks.size() < 2) continue;
    groups_.push_back(ranks);
    for (const std::uint32_t r : ranks) names_[static_cast<std::size_t>(kind)][r] = std::to_string(groups_.size());
  }
}

std::string StepGroups::json() const {
  std::string text = "{";
  for (std::size_t g = 0; g < groups_.size(); ++g)
    text += fmt::format("{}\n  \"{}\": [{}]", g ? "," : "", g + 1, fmt::join(groups_[g], ", "));
  return text + "\n}\n";
}

}  // namespace tutti::workload::gen
