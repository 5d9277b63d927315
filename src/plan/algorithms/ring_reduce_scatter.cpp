// Ring reduce-scatter: a block goes once round and grows on its way.
// Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) {
    return ring_reduce_scatter(Phase{{0, 1, c.ranks}, rank, Buffer::input, {0, c.count}, 0});
  };
  return s;
}

}  // namespace

Algorithm ring_reduce_scatter_algorithm() {
  return {"ring_reduce_scatter",
          CollectiveKind::reduce_scatter,
          "sums once round a ring",
          "Patarasuk and Yuan, JPDC 2009",
          {},
          make};
}

}  // namespace tutti::plan
