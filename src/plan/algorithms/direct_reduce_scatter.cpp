// Direct reduce-scatter: every rank sends block i to rank i at once.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return direct_reduce_scatter(Phase{{0, 1, c.ranks}, rank, Buffer::input, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm direct_reduce_scatter_algorithm() {
  return {"direct_reduce_scatter",
          CollectiveKind::reduce_scatter,
          "every block straight to its rank",
          "Chan et al., CCPE 2007",
          {},
          make};
}

}  // namespace tutti::plan
