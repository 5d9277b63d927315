// Direct scatter. Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/collective.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  if (rank != c.root) {
    co_yield receive(c.root, {Buffer::output, 0, c.output_size(rank)});
    co_return;
  }
  for (int d = 1; d < c.ranks; ++d) {
    const int to = (rank + d) % c.ranks;
    co_yield send(to, slice(Buffer::input, part(c.count, c.ranks, to)));
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_scatter_algorithm() {
  return {"direct_scatter",
          CollectiveKind::scatter,
          "every block straight from the root",
          "Chan et al., CCPE 2007",
          {},
          make};
}

}  // namespace tutti::plan
