#pragma once
#include <string>
#include <vector>

#include "plan/schedule.h"

namespace tutti::plan {

/// A schedule whose steps were written down: read from a file, or made by the synthesiser.
struct Recorded {
  std::vector<std::int64_t> scratch;                  ///< elements of each rank
  std::vector<std::vector<std::vector<Step>>> steps;  ///< [rank][stream]; ranks may have fewer streams than others
};

Schedule replay(std::string name, Collective collective, bool in_place, Recorded recorded);

/// All steps of a schedule, and its scratch.
Recorded record(const Schedule& schedule);

}  // namespace tutti::plan
