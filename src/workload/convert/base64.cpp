#include "workload/convert/base64.h"

#include <cstdint>

namespace tutti::workload::convert {
namespace {
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : std::uint32_t{0});
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? letters[word >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

bool from_base64(std::string_view text, std::string& bytes) {
  while (text.ends_with('=')) text.remove_suffix(1);
  bytes.clear();
  std::uint32_t word = 0;
  unsigned bits = 0;
  for (char c : text) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
    const auto at = letters.find(c);
    if (at == std::string_view::npos) return false;
    word = (word << 6 | static_cast<std::uint32_t>(at)) & 0xFFFFFFU;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 0xFFU);
    }
  }
  return text.size() % 4 != 1;
}

}  // namespace tutti::workload::convert
