#pragma once
#include "plan/generator.h"
#include "plan/step.h"

namespace tutti::plan {

/// Ranks in arithmetic progression: a row, a column, a cube, all of them. O(1) memory.
struct Group {
  int first = 0, stride = 1, size = 1;
  int rank(std::int64_t i) const { return first + static_cast<int>(((i % size) + size) % size) * stride; }
};

/// The parts from which algorithms are put together, for member `me` (0 to size - 1) of a group. `data` lies at the
/// same place on every member and is cut into part(data, size, i). None needs a number of ranks of a kind.
struct Phase {
  Group group;
  int me = 0;
  Buffer buffer = Buffer::output;
  Interval data;
  int channel = 0;
  Slice block(std::int64_t i) const {
    return slice(buffer, part(data, group.size, ((i % group.size) + group.size) % group.size));
  }
};

/// Member i ends with block i reduced; other blocks are used up. size - 1 steps. @param direction  1 or -1: where a
/// block goes. Patarasuk and Yuan 2009.
Generator<Step> ring_reduce_scatter(Phase p, int direction = 1);
/// Member i begins with block i; all end with all. size - 1 steps.
Generator<Step> ring_all_gather(Phase p, int direction = 1);
/// Every member sends block i to member i, all at once, and adds what it gets.
Generator<Step> direct_reduce_scatter(Phase p);
/// Every member sends its block to all, all at once.
Generator<Step> direct_all_gather(Phase p);
/// Whole `data` from member `root` along a binomial tree; ceil(log2 size) steps.
Generator<Step> binomial_broadcast(Phase p, int root = 0);
/// Whole `data` added up at member `root` along a binomial tree.
Generator<Step> binomial_reduce(Phase p, int root = 0);

}  // namespace tutti::plan
