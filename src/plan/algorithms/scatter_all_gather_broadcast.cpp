// Van de Geijn broadcast: scatter the blocks along a binomial tree, gather them round a ring.
// Barnett, Shuler, van de Geijn, Gupta, Payne and Watts, "Interprocessor collective communication library", SHPCC 1994.
#include "plan/algorithm.h"
#include "plan/binomial.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  // Blocks are numbered from the root, so that every subtree of the scatter holds consecutive blocks.
  const Phase p{{0, 1, c.ranks}, (rank - c.root + c.ranks) % c.ranks, Buffer::output, {0, c.count}, 0};
  for (auto s = binomial_scatter(p, c.root); const Step* step = s.next();) co_yield *step;
  const int to = (rank + 1) % c.ranks, from = (rank + c.ranks - 1) % c.ranks;
  for (int s = 0; s + 1 < c.ranks; ++s) {
    co_yield send(to, p.block(p.me - s));
    co_yield receive(from, p.block(p.me - s - 1));
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm scatter_all_gather_broadcast_algorithm() {
  return {"scatter_all_gather_broadcast",
          CollectiveKind::broadcast,
          "binomial scatter, then ring all-gather",
          "Barnett et al., 1994",
          {},
          make};
}

}  // namespace tutti::plan
