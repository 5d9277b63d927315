// Dissemination barrier: in step k every rank signals the rank 2^k after it; after ceil(log2 P) steps it has heard of
// all. Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", IJPP 1988.
#include "plan/algorithm.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(int ranks, int rank) {
  for (int apart = 1; apart < ranks; apart *= 2) {
    co_yield signal((rank + apart) % ranks);
    co_yield await_signal((rank + ranks - apart) % ranks);
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [ranks = c.ranks](int rank, int) { return steps(ranks, rank); };
  return s;
}

}  // namespace

Algorithm dissemination_barrier_algorithm() {
  return {"dissemination_barrier",
          CollectiveKind::barrier,
          "signals at distances 1, 2, 4, ...",
          "Hensgen, Finkel and Manber, IJPP 1988",
          {},
          make};
}

}  // namespace tutti::plan
