// Two shots: block i of every rank goes to rank i, which adds them and sends the sum to all.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007 (direct reduce-scatter and all-gather).
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Phase p) {
  for (auto s = direct_reduce_scatter(p); const Step* step = s.next();) co_yield *step;
  for (auto s = direct_all_gather(p); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [ranks = c.ranks, n = c.count](int rank, int) {
    return steps({{0, 1, ranks}, rank, Buffer::output, {0, n}, 0});
  };
  return s;
}

}  // namespace

Algorithm two_shot_all_reduce_algorithm() {
  return {"two_shot_all_reduce",
          CollectiveKind::all_reduce,
          "direct reduce-scatter, direct all-gather",
          "Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007",
          {},
          make};
}

}  // namespace tutti::plan
