#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace tutti {

namespace detail {
struct Numerals {
  char text[256][3] = {};
  constexpr Numerals() {
    for (std::size_t i = 0; i < 256; ++i) {
      text[i][0] = static_cast<char>('0' + i / 100);
      text[i][1] = static_cast<char>('0' + i / 10 % 10);
      text[i][2] = static_cast<char>('0' + i % 10);
    }
  }
};
inline constexpr Numerals numerals;
}  // namespace detail

/// "7", "12", "255": names of things that have only a number. @pre i < 256.
constexpr std::string_view numbered(std::size_t i) {
  const std::size_t leading = i < 10 ? 2 : i < 100 ? 1 : 0;
  return {detail::numerals.text[i] + leading, 3 - leading};
}
static_assert(numbered(7) == "7" && numbered(12) == "12" && numbered(255) == "255");

}  // namespace tutti
