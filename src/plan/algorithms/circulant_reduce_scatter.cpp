// Reduce-scatter in ceil(log2 P) steps with the least bytes for any P.
// Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234.
#include "plan/algorithm.h"
#include "plan/circulant.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return circulant_reduce_scatter(Phase{{0, 1, c.ranks}, rank, Buffer::input, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm circulant_reduce_scatter_algorithm() {
  return {"circulant_reduce_scatter",
          CollectiveKind::reduce_scatter,
          "partial sums over distances ..., 4, 2, 1",
          "Traeff, arXiv 2410.14234",
          {},
          make};
}

}  // namespace tutti::plan
