#pragma once
#include <cstdint>
#include <vector>

#include "plan/collective.h"

namespace tutti::plan {

/// Elements that must cross a cut, point to point, with reduction at ranks only.
struct Demand {
  std::int64_t out = 0, in = 0;
};

/// @param inside  one flag a rank. moe_*: no demand is claimed (tokens may be copied and summed on the way).
Demand cut_demand(const Collective& collective, const std::vector<bool>& inside);

/// Elements that all ranks together must send: all_reduce 2 (P - 1) n (Patarasuk and Yuan 2009).
std::int64_t total_demand(const Collective& collective);

}  // namespace tutti::plan
