#include "report/network_places.h"

#include <cmath>
#include <deque>
#include <map>
#include <numbers>

namespace tutti::report {
namespace {

/// "12" is before "100", and numbers are before words.
struct ByNumber {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

bool is_host(const std::string& name, std::size_t hosts) {
  if (name.empty() || name.size() > 9 || name.find_first_not_of("0123456789") != std::string::npos) return false;
  return std::stoul(name) < hosts;
}

}  // namespace

std::vector<PlaceRow> network_places(const std::vector<LinkRow>& links, std::size_t hosts) {
  std::map<std::string, std::vector<std::string>, ByNumber> neighbours;
  for (const LinkRow& l : links) {
    neighbours[l.source].push_back(l.destination);
    neighbours[l.destination].push_back(l.source);
  }
  std::map<std::string, int, ByNumber> level;
  std::deque<std::string> next;
  for (const auto& [name, unused] : neighbours)
    if (is_host(name, hosts)) level[name] = 0, next.push_back(name);
  while (!next.empty()) {
    const std::string at = next.front();
    next.pop_front();
    for (const std::string& other : neighbours[at])
      if (level.try_emplace(other, level[at] + 1).second) next.push_back(other);
  }
  std::map<int, int> width, used;
  int top = 0, widest = 1;
  for (const auto& [name, unused] : neighbours) {
    const int l = level.try_emplace(name, 1).first->second;
    widest = std::max(widest, ++width[l]), top = std::max(top, l);
  }
  std::vector<PlaceRow> all;
  for (const auto& [name, unused] : neighbours) {
    const int l = level[name];
    const int number = used[l]++;
    PlaceRow place{name, l == 0 ? "host" : "switch", 0, 0};
    if (top == 0) {
      const double angle = 2 * std::numbers::pi * number / width[0], radius = std::max(1.5, width[0] / 5.0);
      place.x = radius * std::sin(angle), place.y = -radius * std::cos(angle);
    } else {
      place.x = (number + 0.5) * widest / width[l];
      place.y = (top - l) * std::max(1.5, widest / 6.0);
    }
    all.push_back(place);
  }
  return all;
}

}  // namespace tutti::report
