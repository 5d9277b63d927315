// Direct gather. Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/collective.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  if (rank != c.root) {
    co_yield send(c.root, {Buffer::input, 0, c.input_size(rank)});
    co_return;
  }
  for (int d = 1; d < c.ranks; ++d) {
    const int from = (rank + d) % c.ranks;
    co_yield receive(from, slice(Buffer::output, part(c.count, c.ranks, from)));
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_gather_algorithm() {
  return {
      "direct_gather", CollectiveKind::gather, "every block straight to the root", "Chan et al., CCPE 2007", {}, make};
}

}  // namespace tutti::plan
