#include "plan/phases.h"

namespace tutti::plan {

Generator<Step> ring_reduce_scatter(Phase p, int direction) {
  const int to = p.group.rank(p.me + direction), from = p.group.rank(p.me - direction);
  for (int s = 1; s < p.group.size; ++s) {
    co_yield send(to, p.block(p.me - direction * s), p.channel);
    co_yield receive_reduce(from, p.block(p.me - direction * (s + 1)), p.channel);
  }
}

Generator<Step> ring_all_gather(Phase p, int direction) {
  const int to = p.group.rank(p.me + direction), from = p.group.rank(p.me - direction);
  for (int s = 0; s + 1 < p.group.size; ++s) {
    co_yield send(to, p.block(p.me - direction * s), p.channel);
    co_yield receive(from, p.block(p.me - direction * (s + 1)), p.channel);
  }
}

Generator<Step> direct_reduce_scatter(Phase p) {
  for (int d = 1; d < p.group.size; ++d) co_yield send(p.group.rank(p.me + d), p.block(p.me + d), p.channel);
  for (int d = 1; d < p.group.size; ++d) co_yield receive_reduce(p.group.rank(p.me - d), p.block(p.me), p.channel);
}

Generator<Step> direct_all_gather(Phase p) {
  for (int d = 1; d < p.group.size; ++d) co_yield send(p.group.rank(p.me + d), p.block(p.me), p.channel);
  for (int d = 1; d < p.group.size; ++d) co_yield receive(p.group.rank(p.me - d), p.block(p.me - d), p.channel);
}

// Member v (counted from the root) gets its data from v without its lowest set bit, and passes it to v + 2^k for every
// 2^k below that bit.
Generator<Step> binomial_broadcast(Phase p, int root) {
  const int v = (p.me - root + p.group.size) % p.group.size;
  const Slice all = slice(p.buffer, p.data);
  int bit = 1;
  while (bit < p.group.size && !(v & bit)) bit <<= 1;
  if (v > 0) co_yield receive(p.group.rank(v - bit + root), all, p.channel);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (v + bit < p.group.size) co_yield send(p.group.rank(v + bit + root), all, p.channel);
}

Generator<Step> binomial_reduce(Phase p, int root) {
  const int v = (p.me - root + p.group.size) % p.group.size;
  const Slice all = slice(p.buffer, p.data);
  int bit = 1;
  for (; bit < p.group.size && !(v & bit); bit <<= 1)
    if (v + bit < p.group.size) co_yield receive_reduce(p.group.rank(v + bit + root), all, p.channel);
  if (v > 0) co_yield send(p.group.rank(v - bit + root), all, p.channel);
}

}  // namespace tutti::plan
