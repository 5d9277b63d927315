#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/cli/options.h"
#include "base/error.h"

namespace tutti::app {

std::uint64_t whole(std::string_view option, const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    throw ConfigError(
        fmt::format("error: {}: a whole number from {} to {} is needed, not '{}'", option, low, high, text));
  return value;
}

double number(std::string_view option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw ConfigError(fmt::format("error: {}: a number is needed, not '{}'", option, text));
  return value;
}

workload::RankFactors factors_by_rank(std::string_view option, const std::string& text) {
  workload::RankFactors factors;
  if (text.find(':') == std::string::npos) {
    factors.others = number(option, text);
  } else {
    constexpr std::uint64_t last_rank = (1U << 24) - 1;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string part = text.substr(at, end - at);
      at = end + 1;
      const std::size_t colon = part.find(':'), dash = part.find('-');
      if (colon == std::string::npos)
        throw ConfigError(fmt::format("error: {}: RANK:X or FIRST-LAST:X is needed, not '{}'", option, part));
      const bool range = dash < colon;
      const std::uint64_t first = whole(option, part.substr(0, range ? dash : colon), 0, last_rank);
      const std::uint64_t last =
          range ? whole(option, part.substr(dash + 1, colon - dash - 1), first, last_rank) : first;
      const double x = number(option, part.substr(colon + 1));
      if (factors.by_rank.size() <= last) factors.by_rank.resize(last + 1, 1);
      for (std::uint64_t r = first; r <= last; ++r) factors.by_rank[r] = x;
    }
  }
  bool good = factors.others >= 0 && factors.others <= 1e9;
  for (const double x : factors.by_rank) good = good && x >= 0 && x <= 1e9;
  if (!good) throw ConfigError(fmt::format("error: {}: factors from 0 to 1e9 are needed, not '{}'", option, text));
  return factors;
}

}  // namespace tutti::app
