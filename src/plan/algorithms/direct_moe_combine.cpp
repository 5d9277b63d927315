// Combine of a mixture of experts: every expert sends its results back in one message for each rank; the rank adds
// those of a token in order of experts. Rajbhandari et al., "DeepSpeed-MoE", ICML 2022.
#include <algorithm>

#include "plan/algorithm.h"
#include "plan/pairs.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  const auto& mine = c.routing->experts[static_cast<std::size_t>(rank)];
  const std::int64_t hidden = c.routing->hidden;
  for (int d = 1; d < c.ranks; ++d) {
    const int to = (rank + d) % c.ranks;
    co_yield send(to, pair_source(c, rank, to));
  }
  for (int d = 1; d < c.ranks; ++d) {
    const int from = (rank + c.ranks - d) % c.ranks;
    co_yield receive(from, {Buffer::scratch, c.pair_output(from, rank), c.pair_count(from, rank)});
  }
  for (int e = 0; e < c.ranks; ++e) {
    Slice from = e == rank ? pair_source(c, rank, rank) : Slice{Buffer::scratch, c.pair_output(e, rank), 0};
    from.count = hidden;
    for (std::size_t t = 0; t < mine.size(); ++t) {
      if (!std::binary_search(mine[t].begin(), mine[t].end(), e)) continue;
      const Slice to{Buffer::output, static_cast<std::int64_t>(t) * hidden, hidden};
      co_yield mine[t].front() == e ? copy(from, to) : reduce(from, to);
      from.begin += hidden;
    }
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [c](int rank) { return c.pair_output(c.ranks, rank); };
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_moe_combine_algorithm() {
  return {"direct_moe_combine",
          CollectiveKind::moe_combine,
          "results of experts back to their tokens, added",
          "Rajbhandari et al., ICML 2022",
          {},
          make};
}

}  // namespace tutti::plan
