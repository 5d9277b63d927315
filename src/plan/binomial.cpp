#include "plan/binomial.h"

#include <algorithm>
#include <bit>

namespace tutti::plan {

int binomial_subtree(int members, int me) {
  if (me == 0) return members;
  return std::min(me & -me, members - me);
}

Generator<Step> binomial_scatter(Phase p, int root) {
  const int size = p.group.size;
  const auto rank = [&](int member) { return p.group.rank(member + root); };
  const auto below = [&](int member) {
    const std::int64_t begin = part(p.data, size, member).begin;
    return Slice{p.buffer, begin, part(p.data, size, member + binomial_subtree(size, member)).begin - begin};
  };
  if (p.me > 0) co_yield receive(rank(p.me & (p.me - 1)), below(p.me), p.channel);
  const int low = p.me == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : p.me & -p.me;
  for (int bit = low / 2; bit > 0; bit /= 2)
    if (p.me + bit < size) co_yield send(rank(p.me + bit), below(p.me + bit), p.channel);
}

}  // namespace tutti::plan
