// Binomial scatter: the binomial gather backwards.
// Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007.
#include <algorithm>

#include "plan/algorithm.h"
#include "plan/binomial.h"
#include "plan/collective.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

struct Tree {
  Collective c;
  int member(int rank) const { return (rank - c.root + c.ranks) % c.ranks; }
  int rank(int member) const { return (member + c.root) % c.ranks; }
  std::int64_t size(int m) const { return part(c.count, c.ranks, rank(m)).count; }
  std::int64_t size(int first, int end) const {
    std::int64_t n = 0;
    for (int m = first; m < end; ++m) n += size(m);
    return n;
  }
};

Generator<Step> steps(Tree t, int rank) {
  const int me = t.member(rank), below = binomial_subtree(t.c.ranks, me);
  if (t.c.ranks == 1) co_return;
  if (me == 0) {
    std::int64_t at = t.size(0);
    for (int m = 1; m < t.c.ranks; ++m) {
      co_yield copy(slice(Buffer::input, part(t.c.count, t.c.ranks, t.rank(m))), {Buffer::scratch, at, t.size(m)});
      at += t.size(m);
    }
  } else {
    co_yield receive(t.rank(me & (me - 1)), {Buffer::scratch, 0, t.size(me, me + below)});
    co_yield copy({Buffer::scratch, 0, t.size(me)}, {Buffer::output, 0, t.size(me)});
  }
  int bit = 1;
  while (bit < below) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2)
    if (bit < below)
      co_yield send(t.rank(me + bit),
                    {Buffer::scratch, t.size(me, me + bit), t.size(me + bit, std::min(me + 2 * bit, me + below))});
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [t = Tree{c}](int rank) {
    const int me = t.member(rank);
    return t.size(me, me + binomial_subtree(t.c.ranks, me));
  };
  s.steps = [t = Tree{c}](int rank, int) { return steps(t, rank); };
  return s;
}

}  // namespace

Algorithm binomial_scatter_algorithm() {
  return {
      "binomial_scatter", CollectiveKind::scatter, "subtrees of a binomial tree", "Chan et al., CCPE 2007", {}, make};
}

}  // namespace tutti::plan
