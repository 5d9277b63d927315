#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "plan/contributions.h"

namespace tutti::plan {

/// Elements that hold a sum of contributions: element i of the piece is element `label` + i of the value space.
struct Piece {
  std::int64_t offset = 0, count = 0;
  std::int64_t label = 0;
  Contributions::Id from = 0;  ///< 0: nothing was ever written there
};

/// A step of a stream, as a point in the order of that stream.
struct Epoch {
  int stream = -1;
  std::int64_t step = -1;
};

/// What a memory holds, symbolically, and who touched it last.
class Image {
 public:
  /// What lies in [begin, begin + count), with offsets from `begin`; gaps have from = 0.
  std::vector<Piece> read(std::int64_t begin, std::int64_t count) const;
  void write(std::int64_t begin, const std::vector<Piece>& pieces);

  struct Access {
    std::int64_t begin, end;
    Epoch written;
    std::vector<Epoch> read;
  };
  /// Calls visit(Access&) for each part of [begin, begin + count), split so that parts lie inside.
  template <class Visit>
  void touch(std::int64_t begin, std::int64_t count, Visit visit) {
    split(accesses_, begin);
    split(accesses_, begin + count);
    std::int64_t at = begin;
    auto i = accesses_.lower_bound(begin);
    while (at < begin + count) {
      if (i == accesses_.end() || i->first > at) {
        const std::int64_t end = i == accesses_.end() ? begin + count : std::min(i->first, begin + count);
        i = accesses_.emplace_hint(i, at, Access{at, end, {}, {}});
      }
      visit(i->second);
      at = i->second.end;
      ++i;
    }
  }

 private:
  struct Segment {
    std::int64_t begin, end, label;
    Contributions::Id from;
  };
  static void cut(Segment& s, std::int64_t at) { s.label += at - s.begin, s.begin = at; }
  static void cut(Access& a, std::int64_t at) { a.begin = at; }
  template <class Map>
  static void split(Map& map, std::int64_t at) {
    auto i = map.lower_bound(at);
    if (i == map.begin()) return;
    --i;
    if (i->second.end <= at) return;
    auto right = i->second;
    i->second.end = at;
    cut(right, at);
    map.emplace(at, std::move(right));
  }
  std::map<std::int64_t, Segment> segments_;
  std::map<std::int64_t, Access> accesses_;
};

}  // namespace tutti::plan
