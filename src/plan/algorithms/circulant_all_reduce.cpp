// Reduce-scatter and all-gather over ranks that are 1, 2, 4, ... apart: 2 ceil(log2 P) steps and the least bytes for
// any P. Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234.
#include "plan/algorithm.h"
#include "plan/circulant.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Phase p) {
  for (auto s = circulant_reduce_scatter(p); const Step* step = s.next();) co_yield *step;
  for (auto s = circulant_all_gather(p); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [ranks = c.ranks, n = c.count](int rank, int) {
    return steps({{0, 1, ranks}, rank, Buffer::output, {0, n}, 0});
  };
  return s;
}

}  // namespace

Algorithm circulant_all_reduce_algorithm() {
  return {"circulant_all_reduce",
          CollectiveKind::all_reduce,
          "reduce-scatter and all-gather at distances 1, 2, 4, ...",
          "Traeff, arXiv 2410.14234",
          {},
          make};
}

}  // namespace tutti::plan
