// Ring all-gather: in each step every rank passes on the block that it got last.
// Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and experience", CCPE
// 2007.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return ring_all_gather(Phase{{0, 1, c.ranks}, rank, Buffer::output, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm ring_all_gather_algorithm() {
  return {
      "ring_all_gather", CollectiveKind::all_gather, "blocks once round a ring", "Chan et al., CCPE 2007", {}, make};
}

}  // namespace tutti::plan
