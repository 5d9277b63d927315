// Direct exchange: every rank sends to all others, then receives from all.
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
#include "plan/algorithm.h"
#include "plan/pairs.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return direct_exchange(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_all_to_all_algorithm() {
  return {
      "direct_all_to_all", CollectiveKind::all_to_all, "to all peers at once", "Thakur et al., IJHPCA 2005", {}, make};
}

}  // namespace tutti::plan
