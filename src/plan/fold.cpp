#include "plan/fold.h"

namespace tutti::plan {

Generator<Step> fold(Fold f, int rank, Slice all) {
  if (rank >= 2 * f.extra) co_return;
  if (rank % 2)
    co_yield receive_reduce(rank - 1, all);
  else
    co_yield send(rank + 1, all);
}

Generator<Step> unfold(Fold f, int rank, Slice all) {
  if (rank >= 2 * f.extra) co_return;
  if (rank % 2)
    co_yield send(rank - 1, all);
  else
    co_yield receive(rank + 1, all);
}

}  // namespace tutti::plan
