// Ring all-reduce: reduce-scatter, then all-gather, along a ring. A channel is a ring of its own with its share of the
// buffer; of two directions, every other ring runs backwards.
// Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009.
#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Phase p, int direction) {
  for (auto s = ring_reduce_scatter(p, direction); const Step* step = s.next();) co_yield *step;
  for (auto s = ring_all_gather(p, direction); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters& p) {
  Schedule s;
  const int directions = static_cast<int>(p["directions"]);
  s.streams = static_cast<int>(p["channels"]) * directions;
  s.steps = [ranks = c.ranks, count = c.count, streams = s.streams, directions](int rank, int stream) {
    const Phase phase{{0, 1, ranks}, rank, Buffer::output, part(count, streams, stream), stream};
    return steps(phase, directions == 2 && stream % 2 == 1 ? -1 : 1);
  };
  return s;
}

}  // namespace

Algorithm ring_all_reduce_algorithm() {
  return {"ring_all_reduce",
          CollectiveKind::all_reduce,
          "reduce-scatter and all-gather along rings",
          "Patarasuk and Yuan, JPDC 2009",
          {{"channels", 1, 1, 64, "rings side by side"}, {"directions", 1, 1, 2, "2: every channel both ways round"}},
          make};
}

}  // namespace tutti::plan
