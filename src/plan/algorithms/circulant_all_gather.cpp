// Bruck's all-gather: ceil(log2 P) steps for any P.
// Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", TPDS 1997.
#include "plan/algorithm.h"
#include "plan/circulant.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return circulant_all_gather(Phase{{0, 1, c.ranks}, rank, Buffer::output, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm circulant_all_gather_algorithm() {
  return {"circulant_all_gather",
          CollectiveKind::all_gather,
          "what a rank has to the rank 1, 2, 4, ... before it",
          "Bruck et al., TPDS 1997",
          {},
          make};
}

}  // namespace tutti::plan
