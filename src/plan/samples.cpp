#include "plan/samples.h"

#include <algorithm>

namespace tutti::plan {

Collective sample_collective(CollectiveKind kind, int ranks, std::int64_t count, Random& random) {
  Collective c{kind, ranks, count, static_cast<int>(random.below(static_cast<std::uint64_t>(ranks))), {}, {}};
  const auto p = static_cast<std::size_t>(ranks);
  if (kind == CollectiveKind::all_to_all_v)
    for (std::size_t i = 0; i < p * p; ++i)
      c.counts.push_back(random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(8)));
  if (kind != CollectiveKind::moe_dispatch && kind != CollectiveKind::moe_combine) return c;
  auto routing = std::make_shared<Routing>();
  routing->hidden = static_cast<std::int64_t>(random.below(3)) + 1;
  routing->experts.resize(p);
  for (auto& tokens : routing->experts) {
    tokens.resize(random.below(5));
    for (auto& experts : tokens)
      for (int e = 0; e < ranks; ++e)
        if (random.below(p) < 2) experts.push_back(e);
  }
  c.routing = routing;
  return c;
}

Collective benchmark_collective(CollectiveKind kind, int ranks, std::int64_t elements, int root, std::uint64_t seed) {
  Collective c{kind, ranks, elements, root, {}, {}};
  const auto p = static_cast<std::size_t>(ranks);
  Random random(seed);
  if (kind == CollectiveKind::all_to_all_v) {
    for (std::size_t s = 0; s < p; ++s) {
      std::vector<std::int64_t> weights(p);
      std::int64_t sum = 0, before = 0;
      for (auto& w : weights) sum += w = random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(8)) + 1;
      if (sum == 0) weights[s] = sum = 1;
      for (const std::int64_t w : weights) {
        c.counts.push_back(elements * (before + w) / sum - elements * before / sum);
        before += w;
      }
    }
  } else if (kind == CollectiveKind::moe_dispatch || kind == CollectiveKind::moe_combine) {
    auto routing = std::make_shared<Routing>();
    routing->hidden = std::clamp<std::int64_t>(elements, 1, 64);
    routing->experts.resize(p);
    for (auto& tokens : routing->experts) {
      tokens.resize(static_cast<std::size_t>(elements / routing->hidden));
      for (auto& experts : tokens) {
        if (random.below(16) == 0) continue;
        const auto first = static_cast<int>(random.below(p)), second = static_cast<int>(random.below(p));
        experts.push_back(std::min(first, second));
        if (first != second) experts.push_back(std::max(first, second));
      }
    }
    c.routing = routing;
  }
  return c;
}

Parameters sample_parameters(const Algorithm& a, Random& random) {
  Parameters out;
  for (const Parameter& p : a.parameters) {
    const auto width = static_cast<std::uint64_t>(std::min<std::int64_t>(p.high - p.low, 8)) + 1;
    out.set(p.name, p.low + static_cast<std::int64_t>(random.below(width)));
  }
  if (can_be_tiled(a.kind) && random.below(3) == 0) out.set("tile", 60 + static_cast<std::int64_t>(random.below(100)));
  return out;
}

std::optional<Schedule> sample_schedule(const Algorithm& a, const Collective& c, const Parameters& given) {
  if (a.unfit && !a.unfit(c, effective_parameters(a, given)).empty()) return std::nullopt;
  return make_schedule(a, c, given);
}

}  // namespace tutti::plan
