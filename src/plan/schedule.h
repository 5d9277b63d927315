#pragma once
#include <functional>
#include <string>

#include "plan/collective.h"
#include "plan/generator.h"
#include "plan/step.h"

namespace tutti::plan {

/// A collective as steps of each rank. Steps are made one by one when asked for: O(1) memory a rank, any number of
/// times, and the same each time. Both functions own what they refer to.
struct Schedule {
  std::string algorithm;
  Collective collective;
  bool in_place = true;  ///< input and output are one memory, see Collective::input_offset
  int streams = 1;       ///< of each rank; streams run side by side
  std::function<std::int64_t(int rank)> scratch = [](int) { return std::int64_t{0}; };  ///< elements
  std::function<Generator<Step>(int rank, int stream)> steps;
};

/// What each rank moves, exactly.
struct Traffic {
  std::vector<std::int64_t> sent, received;  ///< elements of each rank
  std::vector<std::int64_t> messages;        ///< sent by each rank
  std::vector<std::int64_t> reduced;         ///< elements added by each rank
};
Traffic traffic(const Schedule& schedule);

}  // namespace tutti::plan
