// Pairwise exchange: in step d every rank sends to the rank d after it and receives from the rank d before it.
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
#include "plan/algorithm.h"
#include "plan/pairs.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return pairwise_exchange(c, rank); };
  return s;
}

}  // namespace

Algorithm pairwise_all_to_all_algorithm() {
  return {"pairwise_all_to_all",
          CollectiveKind::all_to_all,
          "one peer after the other, each at another distance",
          "Thakur et al., IJHPCA 2005",
          {},
          make};
}

}  // namespace tutti::plan
