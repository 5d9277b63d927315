#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word that is meant by `word`, or "" if none is near: at most a third of the word differs, at least two
/// letters; case and the difference between '-' and '_' count nothing. Of equally near ones: the longest common
/// beginning, then the first.
std::string_view nearest(std::string_view word, std::span<const std::string> known);
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean 'ring'?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> known);
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "unknown topology 'rign'; did you mean 'ring'? known: ring, mesh". The list is cut after 40 names.
std::string unknown_name(std::string_view noun, std::string_view word, std::span<const std::string> known);

}  // namespace tutti
