#pragma once
#include <optional>

#include "base/random.h"
#include "plan/algorithm.h"

namespace tutti::plan {

/// A collective of the kind with what else it needs drawn at random: a root, counts (many of them zero), a routing of
/// up to four tokens a rank.
Collective sample_collective(CollectiveKind kind, int ranks, std::int64_t count, Random& random);
/// The collective as a benchmark wants it: `elements` of the buffer that Collective::count names. all_to_all_v: so many
/// from each rank, spread unevenly, a third of the pairs without any. moe_*: tokens of 64 elements (or all), each to
/// two ranks, some tokens to none. Seeded.
Collective benchmark_collective(CollectiveKind kind, int ranks, std::int64_t elements, int root, std::uint64_t seed);
/// Values from the low end of each parameter's range; sometimes a tile.
Parameters sample_parameters(const Algorithm& algorithm, Random& random);
/// Nothing if the algorithm cannot serve this number of ranks.
std::optional<Schedule> sample_schedule(const Algorithm& algorithm, const Collective& collective, const Parameters& p);

}  // namespace tutti::plan
