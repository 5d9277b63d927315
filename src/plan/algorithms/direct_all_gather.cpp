// Direct all-gather: every rank sends its block to all others at once.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return direct_all_gather(Phase{{0, 1, c.ranks}, rank, Buffer::output, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm direct_all_gather_algorithm() {
  return {"direct_all_gather",
          CollectiveKind::all_gather,
          "every block from its rank to all",
          "Chan et al., CCPE 2007",
          {},
          make};
}

}  // namespace tutti::plan
