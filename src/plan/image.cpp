#include "plan/image.h"

namespace tutti::plan {

std::vector<Piece> Image::read(std::int64_t begin, std::int64_t count) const {
  std::vector<Piece> out;
  const std::int64_t end = begin + count;
  auto i = segments_.upper_bound(begin);
  if (i != segments_.begin() && std::prev(i)->second.end > begin) --i;
  for (std::int64_t at = begin; at < end;) {
    if (i == segments_.end() || i->first >= end) {
      out.push_back({at - begin, end - at, 0, 0});
      break;
    }
    const Segment& s = i->second;
    if (s.begin > at) out.push_back({at - begin, s.begin - at, 0, 0}), at = s.begin;
    const std::int64_t stop = std::min(s.end, end);
    out.push_back({at - begin, stop - at, s.label + at - s.begin, s.from});
    at = stop;
    ++i;
  }
  return out;
}

void Image::write(std::int64_t begin, const std::vector<Piece>& pieces) {
  if (pieces.empty()) return;
  const std::int64_t end = begin + pieces.back().offset + pieces.back().count;
  split(segments_, begin);
  split(segments_, end);
  segments_.erase(segments_.lower_bound(begin), segments_.lower_bound(end));
  for (const Piece& p : pieces) {
    const std::int64_t at = begin + p.offset;
    if (p.count == 0 || p.from == 0) continue;
    auto next = segments_.lower_bound(at);
    if (next != segments_.begin()) {
      Segment& before = std::prev(next)->second;
      if (before.end == at && before.from == p.from && before.label + at - before.begin == p.label) {
        before.end += p.count;
        continue;
      }
    }
    segments_.emplace_hint(next, at, Segment{at, at + p.count, p.label, p.from});
  }
}

}  // namespace tutti::plan
