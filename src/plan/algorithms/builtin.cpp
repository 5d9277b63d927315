#include "plan/algorithm.h"

namespace tutti::plan {

#define TUTTI_BUILTIN(name) Algorithm name##_algorithm();
#include "plan/algorithms/builtin.def"
#undef TUTTI_BUILTIN

const Registry<Algorithm>& algorithms() {
  static const Registry<Algorithm> all("algorithm", {
#define TUTTI_BUILTIN(name) name##_algorithm(),
#include "plan/algorithms/builtin.def"
#undef TUTTI_BUILTIN
                                                    });
  return all;
}

const Algorithm& algorithm(std::string_view name) { return algorithms().at(name); }

}  // namespace tutti::plan
