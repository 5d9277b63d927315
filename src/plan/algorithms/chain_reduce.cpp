// Pipelined chain to the root: every rank adds its own to each chunk and passes it on.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include "plan/algorithm.h"
#include "plan/collective.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, std::int64_t chunks, int rank) {
  const int place = (rank - c.root + c.ranks) % c.ranks;
  for (std::int64_t i = 0; i < chunks; ++i) {
    const Slice piece = slice(Buffer::output, part(c.count, chunks, i));
    if (place + 1 < c.ranks) co_yield receive_reduce((rank + 1) % c.ranks, piece);
    if (place > 0) co_yield send((rank + c.ranks - 1) % c.ranks, piece);
  }
}

Schedule make(const Collective& c, const Parameters& p) {
  Schedule s;
  s.steps = [c, chunks = p["chunks"]](int rank, int) { return steps(c, chunks, rank); };
  return s;
}

}  // namespace

Algorithm chain_reduce_algorithm() {
  return {"chain_reduce",
          CollectiveKind::reduce,
          "in chunks along a chain",
          "Chan et al., CCPE 2007",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other"}},
          make};
}

}  // namespace tutti::plan
