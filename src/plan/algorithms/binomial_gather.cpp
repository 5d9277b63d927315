// Binomial gather: a rank collects the blocks of its subtree, then hands them to its parent in one run. Members count
// from the root; their blocks lie in scratch in that order, and at the root in their place. Chan, Heimlich, Purkayastha
// and van de Geijn, CCPE 2007.
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
};

std::int64_t scratch(const Tree& t, int rank) {
  const int me = t.member(rank);
  std::int64_t n = 0;
  for (int m = me; m < me + binomial_subtree(t.c.ranks, me); ++m) n += t.size(m);
  return n;
}

Generator<Step> steps(Tree t, int rank) {
  const int me = t.member(rank), below = binomial_subtree(t.c.ranks, me);
  if (t.c.ranks == 1) co_return;
  const std::int64_t own = t.size(me);
  if (me > 0) co_yield copy({Buffer::input, 0, own}, {Buffer::scratch, 0, own});
  std::int64_t at = own;
  for (int bit = 1; bit < below; bit *= 2) {  // child me + bit holds [me + bit, me + 2 bit)
    std::int64_t n = 0;
    for (int m = me + bit; m < std::min(me + 2 * bit, me + below); ++m) n += t.size(m);
    co_yield receive(t.rank(me + bit), {Buffer::scratch, at, n});
    at += n;
  }
  if (me > 0) {
    co_yield send(t.rank(me & (me - 1)), {Buffer::scratch, 0, at});
    co_return;
  }
  at = own;
  for (int m = 1; m < t.c.ranks; ++m) {
    co_yield copy({Buffer::scratch, at, t.size(m)}, slice(Buffer::output, part(t.c.count, t.c.ranks, t.rank(m))));
    at += t.size(m);
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [t = Tree{c}](int rank) { return scratch(t, rank); };
  s.steps = [t = Tree{c}](int rank, int) { return steps(t, rank); };
  return s;
}

}  // namespace

Algorithm binomial_gather_algorithm() {
  return {"binomial_gather", CollectiveKind::gather, "subtrees of a binomial tree", "Chan et al., CCPE 2007", {}, make};
}

}  // namespace tutti::plan
