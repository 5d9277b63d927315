// Recursive doubling: in step k every rank exchanges its whole buffer with the rank that differs in bit k.
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
#include "plan/algorithm.h"
#include "plan/fold.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Fold f, int rank, Slice all) {
  for (auto s = fold(f, rank, all); const Step* step = s.next();) co_yield *step;
  const int me = f.member(rank);
  for (int bit = 1; me >= 0 && bit < f.members; bit <<= 1) {
    co_yield send(f.rank(me ^ bit), all);
    co_yield receive_reduce(f.rank(me ^ bit), all);
  }
  for (auto s = unfold(f, rank, all); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [f = Fold(c.ranks), n = c.count](int rank, int) { return steps(f, rank, {Buffer::output, 0, n}); };
  return s;
}

}  // namespace

Algorithm recursive_doubling_all_reduce_algorithm() {
  return {"recursive_doubling_all_reduce",
          CollectiveKind::all_reduce,
          "whole buffers between ranks that differ in one bit",
          "Thakur, Rabenseifner and Gropp, IJHPCA 2005",
          {},
          make};
}

}  // namespace tutti::plan
