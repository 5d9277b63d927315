#include "plan/pairs.h"

namespace tutti::plan {

Slice pair_source(const Collective& c, int source, int destination) {
  return {Buffer::input, c.pair_input(source, destination), c.pair_count(source, destination)};
}

Slice pair_target(const Collective& c, int source, int destination) {
  return {Buffer::output, c.pair_output(source, destination), c.pair_count(source, destination)};
}

Generator<Step> pairwise_exchange(Collective c, int rank) {
  co_yield copy(pair_source(c, rank, rank), pair_target(c, rank, rank));
  for (int d = 1; d < c.ranks; ++d) {
    const int to = (rank + d) % c.ranks, from = (rank + c.ranks - d) % c.ranks;
    co_yield send(to, pair_source(c, rank, to));
    co_yield receive(from, pair_target(c, from, rank));
  }
}

Generator<Step> direct_exchange(Collective c, int rank) {
  for (int d = 1; d < c.ranks; ++d) {
    const int to = (rank + d) % c.ranks;
    co_yield send(to, pair_source(c, rank, to));
  }
  co_yield copy(pair_source(c, rank, rank), pair_target(c, rank, rank));
  for (int d = 1; d < c.ranks; ++d) {
    const int from = (rank + c.ranks - d) % c.ranks;
    co_yield receive(from, pair_target(c, from, rank));
  }
}

}  // namespace tutti::plan
