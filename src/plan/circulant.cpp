#include "plan/circulant.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tutti::plan {
namespace {

/// Blocks [first, first + n), round the end, as at most two slices.
std::array<Slice, 2> run(const Phase& p, int first, int n) {
  const int size = p.group.size;
  first %= size;
  const int here = std::min(n, size - first);
  const auto blocks = [&](int from, int count) {
    const std::int64_t begin = part(p.data, size, from).begin;
    return Slice{p.buffer, begin, part(p.data, size, from + count).begin - begin};
  };
  return {blocks(first, here), blocks(0, n - here)};
}

}  // namespace

Generator<Step> circulant_all_gather(Phase p) {
  for (int apart = 1; apart < p.group.size; apart *= 2) {
    const int n = std::min(apart, p.group.size - apart);
    for (const Slice& s : run(p, p.me, n)) co_yield send(p.group.rank(p.me - apart), s, p.channel);
    for (const Slice& s : run(p, p.me + apart, n)) co_yield receive(p.group.rank(p.me + apart), s, p.channel);
  }
}

Generator<Step> circulant_reduce_scatter(Phase p) {
  if (p.group.size == 1) co_return;
  for (int apart = static_cast<int>(std::bit_floor(static_cast<unsigned>(p.group.size - 1))); apart > 0; apart /= 2) {
    const int n = std::min(apart, p.group.size - apart);
    for (const Slice& s : run(p, p.me + apart, n)) co_yield send(p.group.rank(p.me + apart), s, p.channel);
    for (const Slice& s : run(p, p.me, n)) co_yield receive_reduce(p.group.rank(p.me - apart), s, p.channel);
  }
}

}  // namespace tutti::plan
