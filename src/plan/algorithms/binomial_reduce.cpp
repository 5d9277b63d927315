// Binomial reduce: the binomial broadcast backwards, adding.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return binomial_reduce(Phase{{0, 1, c.ranks}, rank, Buffer::output, {0, c.count}, 0}, c.root);
  };
  return s;
}

}  // namespace

Algorithm binomial_reduce_algorithm() {
  return {"binomial_reduce", CollectiveKind::reduce, "along a binomial tree", "Chan et al., CCPE 2007", {}, make};
}

}  // namespace tutti::plan
