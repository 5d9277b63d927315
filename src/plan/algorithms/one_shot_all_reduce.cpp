// One shot: every rank sends its whole buffer to all others and adds what it gets. One step, P - 1 times the bytes.
// As in the custom all-reduce of inference engines; Chan et al., CCPE 2007, call it all-to-all reduction.
#include "plan/algorithm.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(int ranks, int rank, std::int64_t count) {
  if (ranks == 1) co_return;
  const Slice result{Buffer::output, 0, count}, own{Buffer::scratch, 0, count};
  co_yield copy(result, own);  // what is sent must stay while the sums grow
  for (int d = 1; d < ranks; ++d) co_yield send((rank + d) % ranks, own);
  for (int d = 1; d < ranks; ++d) co_yield receive_reduce((rank + ranks - d) % ranks, result);
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [n = c.count](int) { return n; };
  s.steps = [ranks = c.ranks, n = c.count](int rank, int) { return steps(ranks, rank, n); };
  return s;
}

}  // namespace

Algorithm one_shot_all_reduce_algorithm() {
  return {"one_shot_all_reduce",
          CollectiveKind::all_reduce,
          "every whole buffer to every rank",
          "Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007",
          {},
          make};
}

}  // namespace tutti::plan
