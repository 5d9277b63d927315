#include "base/suggest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace tutti {
namespace {

std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

template <class Word>
std::string_view nearest_of(std::string_view word, std::span<const Word> known) {
  if (word.size() > 200) return {};
  const std::string wanted = folded(word);
  std::string_view best;
  std::size_t best_prefix = 0;
  std::size_t distance = std::max<std::size_t>(word.size() / 3, 2) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t d = edit_distance(wanted, folded(candidate));
    const std::size_t prefix = common_prefix(wanted, folded(candidate));
    // Not a word of which nothing is left.
    const bool nearer = d < distance || (d == distance && !best.empty() && prefix > best_prefix);
    if (nearer && d < std::max<std::size_t>(candidate.size(), 2)) best = candidate, distance = d, best_prefix = prefix;
  }
  return best;
}

template <class Word>
std::string question(std::string_view word, std::span<const Word> known) {
  const std::string_view best = nearest_of(word, known);
  return best.empty() ? "" : "; did you mean '" + std::string(best) + "'?";
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] != b[j - 1]), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view word, std::span<const std::string> known) { return nearest_of(word, known); }
std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  return nearest_of(word, known);
}
std::string did_you_mean(std::string_view word, std::span<const std::string> known) { return question(word, known); }
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  return question(word, known);
}

std::string unknown_name(std::string_view noun, std::string_view word, std::span<const std::string> known) {
  const std::string near = did_you_mean(word, known);
  std::string text = "unknown " + std::string(noun) + " '" + std::string(word) + "'" + near;
  if (known.empty()) return text + "; none is known";
  text += near.empty() ? "; known: " : " known: ";
  for (std::size_t i = 0; i < known.size() && i < 40; ++i) text += (i ? ", " : "") + known[i];
  if (known.size() > 40) text += ", and " + std::to_string(known.size() - 40) + " more";
  return text;
}

}  // namespace tutti
