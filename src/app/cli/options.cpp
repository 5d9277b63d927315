#include "app/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace tutti::app {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

void Options::value(std::vector<std::string_view> names, std::string& out) {
  options_.push_back({std::move(names), &out, nullptr, {}});
}
void Options::flag(std::vector<std::string_view> names, bool& out) {
  options_.push_back({std::move(names), nullptr, &out, {}});
}

Options::Option* Options::find(std::string_view name) {
  for (Option& o : options_)
    if (std::find(o.names.begin(), o.names.end(), name) != o.names.end()) return &o;
  return nullptr;
}

std::string Options::nearest(std::string_view name) const {
  std::string_view best;
  std::size_t distance = std::max<std::size_t>(name.size() / 3, 2) + 1;
  for (const Option& o : options_)
    for (const std::string_view n : o.names)
      if (const std::size_t d = edit_distance(name, n); d < distance) best = n, distance = d;
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::string Options::given(std::string_view name) const {
  for (const Option& o : options_)
    if (o.names.front() == name) return o.seen;
  return {};
}

void Options::parse(const std::vector<std::string_view>& arguments) {
  std::string faults;
  const auto fault = [&](const std::string& what) { faults += (faults.empty() ? "" : "\n") + ("error: " + what); };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    Option* const option = word.starts_with("--") ? find(name) : nullptr;
    if (!option) {
      fault(fmt::format("unknown option '{}'{}", name, nearest(name)));
      continue;
    }
    if (!option->seen.empty()) fault(fmt::format("option {} is given twice", name));
    option->seen = name;
    std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (option->truth) {
      const bool bare = equals == std::string_view::npos;
      if (bare || value == "true" || value == "1" || value == "on")
        *option->truth = true;
      else if (value == "false" || value == "0" || value == "off")
        *option->truth = false;
      else
        fault(fmt::format("{}: true or false is needed, not '{}'", name, value));
      continue;
    }
    if (equals == std::string_view::npos) {
      if (i + 1 == arguments.size() || arguments[i + 1].starts_with("--")) {
        fault(fmt::format("{} needs a value", name));
        continue;
      }
      value = arguments[++i];
    }
    *option->text = value;
  }
  if (!faults.empty()) throw ConfigError(faults);
}

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
