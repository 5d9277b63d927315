// Rabenseifner's all-reduce: recursive halving reduces half as many blocks in each step; recursive doubling gathers.
// Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
#include "plan/algorithm.h"
#include "plan/fold.h"

namespace tutti::plan {
namespace {

/// Blocks [first, first + n) of `members` blocks.
Slice blocks(std::int64_t count, int members, int first, int n) {
  const std::int64_t begin = part(count, members, first).begin;
  return {Buffer::output, begin, part(count, members, first + n).begin - begin};
}

Generator<Step> steps(Fold f, int rank, std::int64_t count) {
  const Slice all{Buffer::output, 0, count};
  for (auto s = fold(f, rank, all); const Step* step = s.next();) co_yield *step;
  const int me = f.member(rank);
  for (int n = f.members / 2; me >= 0 && n > 0; n /= 2) {
    co_yield send(f.rank(me ^ n), blocks(count, f.members, (me ^ n) & ~(n - 1), n));
    co_yield receive_reduce(f.rank(me ^ n), blocks(count, f.members, me & ~(n - 1), n));
  }
  for (int n = 1; me >= 0 && n < f.members; n *= 2) {
    co_yield send(f.rank(me ^ n), blocks(count, f.members, me & ~(n - 1), n));
    co_yield receive(f.rank(me ^ n), blocks(count, f.members, (me ^ n) & ~(n - 1), n));
  }
  for (auto s = unfold(f, rank, all); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [f = Fold(c.ranks), n = c.count](int rank, int) { return steps(f, rank, n); };
  return s;
}

}  // namespace

Algorithm rabenseifner_all_reduce_algorithm() {
  return {"rabenseifner_all_reduce",
          CollectiveKind::all_reduce,
          "recursive halving, then recursive doubling",
          "Rabenseifner, ICCS 2004",
          {},
          make};
}

}  // namespace tutti::plan
