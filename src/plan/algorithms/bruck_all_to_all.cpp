// Bruck all-to-all: slot i of a rank begins with the block for the rank i after it; in step k every slot whose number
// has bit k moves 2^k ranks on. Slots that move are packed into one message. Bruck, Ho, Kipnis, Upfal and Weathersby,
// "Efficient algorithms for all-to-all communications in multiport message-passing systems", TPDS 1997.
#include "plan/algorithm.h"
#include "plan/pairs.h"

namespace tutti::plan {
namespace {

struct Slots {
  Collective c;
  std::int64_t width() const { return part(c.count, c.ranks, c.ranks - 1).count + 1; }  // no block is larger
  int after(int rank, int by) const { return ((rank + by) % c.ranks + c.ranks) % c.ranks; }
  /// Elements in slot i at `rank` when the bits below `bit` have been moved: the block goes to rank - moved + i.
  std::int64_t count(int rank, int i, int bit) const { return part(c.count, c.ranks, after(rank, i - i % bit)).count; }
  Slice slot(int i, std::int64_t n) const { return {Buffer::scratch, i * width(), n}; }
  std::int64_t packed() const { return c.ranks * width(); }
  std::int64_t unpacked() const { return packed() + (c.ranks + 1) / 2 * width(); }
  std::int64_t all() const { return unpacked() + (c.ranks + 1) / 2 * width(); }
};

Generator<Step> steps(Slots s, int rank) {
  const Collective& c = s.c;
  for (int i = 0; i < c.ranks; ++i) {
    const Slice from = pair_source(c, rank, s.after(rank, i));
    co_yield copy(from, s.slot(i, from.count));
  }
  for (int bit = 1; bit < c.ranks; bit *= 2) {
    const int to = s.after(rank, bit), from = s.after(rank, -bit);
    std::int64_t sent = 0, received = 0;
    for (int i = bit; i < c.ranks; ++i)
      if (i & bit) {
        const std::int64_t n = s.count(rank, i, bit);
        co_yield copy(s.slot(i, n), {Buffer::scratch, s.packed() + sent, n});
        sent += n;
      }
    for (int i = bit; i < c.ranks; ++i)
      if (i & bit) received += s.count(from, i, bit);
    co_yield send(to, {Buffer::scratch, s.packed(), sent});
    co_yield receive(from, {Buffer::scratch, s.unpacked(), received});
    received = 0;
    for (int i = bit; i < c.ranks; ++i)
      if (i & bit) {
        const std::int64_t n = s.count(from, i, bit);
        co_yield copy({Buffer::scratch, s.unpacked() + received, n}, s.slot(i, n));
        received += n;
      }
  }
  for (int i = 0; i < c.ranks; ++i) {
    const Slice to = pair_target(c, s.after(rank, -i), rank);
    co_yield copy(s.slot(i, to.count), to);
  }
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.scratch = [slots = Slots{c}](int) { return slots.all(); };
  s.steps = [slots = Slots{c}](int rank, int) { return steps(slots, rank); };
  return s;
}

}  // namespace

Algorithm bruck_all_to_all_algorithm() {
  return {"bruck_all_to_all",
          CollectiveKind::all_to_all,
          "log2 P steps, each with half of all blocks",
          "Bruck et al., TPDS 1997",
          {},
          make};
}

}  // namespace tutti::plan
