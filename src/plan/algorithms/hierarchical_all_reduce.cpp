// All-reduce over levels (PEs of a cube, cubes of a SIP, SIPs of a node, nodes), whose groups may differ in size.
// Within a bottom group: ring reduce-scatter, later ring all-gather. Between: every piece of the buffer that has one
// owner in each group is added up level by level at owners that take turns, and handed back. Jia et al., "Highly
// scalable deep learning training system with mixed-precision", arXiv 1807.11205 (hierarchical all-reduce); Cho,
// Finkler, Kung and Hunter, "BlueConnect", MLSys 2019 (several levels).
#include <algorithm>
#include <array>

#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

struct Levels {
  int ranks;
  std::int64_t count;
  int size;                 ///< ranks of a bottom group; the last may have fewer
  int groups;               ///< if not 0: so many bottom groups, balanced
  std::array<int, 2> span;  ///< bottom groups of a group of level 2, those of a group of level 3; 0: all

  int bottoms() const { return groups > 0 ? std::min(groups, ranks) : (ranks + size - 1) / size; }
  Interval bottom(int g) const {
    if (groups > 0) return part(ranks, bottoms(), g);
    return {g * std::int64_t{size}, std::min<std::int64_t>(size, ranks - g * std::int64_t{size})};
  }
  int bottom_of(int rank) const {
    if (groups == 0) return rank / size;
    int g = 0;
    while (bottom(g).end() <= rank) ++g;
    return g;
  }
  /// Levels above the bottom: 1 to 3.
  static constexpr int top = 3;
  /// Bottom groups that one unit of `level` spans at most.
  std::int64_t width(int level) const {
    std::int64_t w = 1;
    for (int l = 1; l < level; ++l) {
      const int s = l - 1 < 2 ? span[static_cast<std::size_t>(l - 1)] : 0;
      if (s == 0) return ranks;
      w = std::min<std::int64_t>(w * s, ranks);
    }
    return w;
  }
  std::int64_t units(int level) const { return (bottoms() + width(level) - 1) / width(level); }
  /// Units of `level` inside unit `u` of the level above.
  Interval members(int level, std::int64_t u) const {
    const std::int64_t each = level == top ? units(level) : std::max<std::int64_t>(width(level + 1) / width(level), 1);
    return {u * each, std::min(each, units(level) - u * each)};
  }
  /// The bottom group that stands for unit `u` of `level` in piece `a`.
  int home(int level, std::int64_t u, std::int64_t a) const {
    for (; level > 1; --level) {
      const Interval m = members(level - 1, u);
      u = m.begin + a % m.count;
    }
    return static_cast<int>(u);
  }
  /// The rank of bottom group `g` that has the piece that begins at `begin`.
  int owner(int g, std::int64_t begin) const {
    const Interval b = bottom(g);
    std::int64_t i = begin * b.count / std::max<std::int64_t>(count, 1);
    while (part(count, b.count, i).end() <= begin) ++i;
    while (part(count, b.count, i).begin > begin) --i;
    return static_cast<int>(b.begin + i);
  }
  /// Where the piece ends that begins at `begin`: the next border of any group's blocks. Groups have at most two sizes.
  std::int64_t end(std::int64_t begin) const {
    std::int64_t end = count;
    for (int g : {0, bottoms() - 1}) {
      const Interval b = bottom(g);
      end = std::min(end, part(count, b.count, owner(g, begin) - b.begin).end());
    }
    return end;
  }
};

/// One level up or down, for all pieces that `rank` has.
Generator<Step> between(Levels l, int rank, int level, bool up) {
  const int mine = l.bottom_of(rank);
  const std::int64_t unit = mine / l.width(level), above = level == Levels::top ? 0 : mine / l.width(level + 1);
  std::int64_t a = 0;
  for (std::int64_t begin = 0; begin < l.count; begin = l.end(begin), ++a) {
    if (l.owner(mine, begin) != rank || l.home(level, unit, a) != mine) continue;
    const Slice piece{Buffer::output, begin, l.end(begin) - begin};
    const Interval members = l.members(level, above);
    const int home = l.home(level, members.begin + a % members.count, a);
    if (home != mine) {
      co_yield up ? send(l.owner(home, begin), piece) : receive(l.owner(home, begin), piece);
      continue;
    }
    for (std::int64_t m = members.begin; m < members.end(); ++m) {
      const int other = l.home(level, m, a);
      if (other != mine)
        co_yield up ? receive_reduce(l.owner(other, begin), piece) : send(l.owner(other, begin), piece);
    }
  }
}

Generator<Step> steps(Levels l, int rank) {
  const Interval mine = l.bottom(l.bottom_of(rank));
  const Phase p{{static_cast<int>(mine.begin), 1, static_cast<int>(mine.count)},
                rank - static_cast<int>(mine.begin),
                Buffer::output,
                {0, l.count},
                0};
  for (auto s = ring_reduce_scatter(p); const Step* step = s.next();) co_yield *step;
  for (int level = 1; level <= Levels::top; ++level)
    for (auto s = between(l, rank, level, true); const Step* step = s.next();) co_yield *step;
  for (int level = Levels::top; level >= 1; --level)
    for (auto s = between(l, rank, level, false); const Step* step = s.next();) co_yield *step;
  for (auto s = ring_all_gather(p); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters& p) {
  const auto at = [&](const char* name) { return static_cast<int>(p[name]); };
  Schedule s;
  const Levels l{c.ranks, c.count, at("group"), at("groups"), {at("second"), at("third")}};
  s.steps = [l](int rank, int) { return steps(l, rank); };
  return s;
}

}  // namespace

Algorithm hierarchical_all_reduce_algorithm() {
  return {"hierarchical_all_reduce",
          CollectiveKind::all_reduce,
          "rings inside groups, owners of pieces between them, over up to four levels",
          "Jia et al., arXiv 1807.11205; Cho et al., MLSys 2019",
          {{"group", 8, 1, 1 << 20, "ranks of a bottom group; the last group may have fewer"},
           {"groups", 0, 0, 1 << 20, "if not 0: so many bottom groups, which differ by at most one rank"},
           {"second", 0, 0, 1 << 20, "bottom groups of a group of the second level; 0: all"},
           {"third", 0, 0, 1 << 20, "groups of the second level of one of the third; 0: all"}},
          make};
}

}  // namespace tutti::plan
