// Dispatch of a mixture of experts: every token goes to the ranks of its experts. A rank packs the tokens of each
// expert and sends them in one message. Rajbhandari et al., "DeepSpeed-MoE", ICML 2022.
#include <algorithm>

#include "plan/algorithm.h"
#include "plan/pairs.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  const auto& mine = c.routing->experts[static_cast<std::size_t>(rank)];
  const std::int64_t hidden = c.routing->hidden;
  for (int d = 0; d < c.ranks; ++d) {
    const int to = (rank + d) % c.ranks;
    const Buffer buffer = d == 0 ? Buffer::output : Buffer::scratch;
    const std::int64_t begin = d == 0 ? c.pair_output(rank, rank) : c.pair_input(rank, to);
    std::int64_t at = begin;
    for (std::size_t t = 0; t < mine.size(); ++t)
      if (std::binary_search(mine[t].begin(), mine[t].end(), to)) {
        co_yield copy({Buffer::input, static_cast<std::int64_t>(t) * hidden, hidden}, {buffer, at, hidden});
        at += hidden;
      }
    if (d > 0) co_yield send(to, {Buffer::scratch, begin, at - begin});
  }
  for (int d = 1; d < c.ranks; ++d) {
    const int from = (rank + c.ranks - d) % c.ranks;
    co_yield receive(from, pair_target(c, from, rank));
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [c](int rank) { return c.pair_input(rank, c.ranks); };
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_moe_dispatch_algorithm() {
  return {"direct_moe_dispatch",
          CollectiveKind::moe_dispatch,
          "tokens packed by expert, to all at once",
          "Rajbhandari et al., ICML 2022",
          {},
          make};
}

}  // namespace tutti::plan
