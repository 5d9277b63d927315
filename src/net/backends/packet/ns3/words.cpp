#include "net/backends/packet/ns3/words.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.h"

namespace tutti::net::packet {
namespace {
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// Splits "12.5Gbps" into a number and its unit.
bool number_and_unit(std::string_view text, double& number, std::string_view& unit) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return false;
  unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return true;
}
}  // namespace

Words Words::from_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    in.clear();
    std::ifstream again(path, std::ios::binary);  // an empty file streams nothing, which is no failure to read
    if (!again || again.peek() != std::ifstream::traits_type::eof())
      throw ConfigError(path + ": error: the file cannot be read");
  }
  return Words(text.str(), path);
}

Words::Words(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text_.size();) {
    if (text_[i] == '\n') ++line;
    if (is_space(text_[i])) {
      ++i;
    } else if (text_[i] == '#') {
      while (i < text_.size() && text_[i] != '\n') ++i;
    } else {
      const std::size_t begin = i;
      while (i < text_.size() && !is_space(text_[i]) && text_[i] != '#') ++i;
      words_.push_back({std::string_view(text_).substr(begin, i - begin), line});
    }
  }
}

std::size_t Words::left_on_line(const Word& word) const {
  std::size_t n = 0;
  while (at_ + n < words_.size() && words_[at_ + n].line == word.line) ++n;
  return n;
}

void Words::skip_line(const Word& word) { at_ += left_on_line(word); }

void Words::fault(std::size_t line, const std::string& what) {
  faults_ += faults_.empty() ? "" : "\n";
  faults_ += line == 0 ? fmt::format("{}: error: {}", path_, what) : fmt::format("{}:{}: error: {}", path_, line, what);
}

bool parse_whole(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_number(std::string_view text, double& out) {
  std::string_view rest;
  return number_and_unit(text, out, rest) && rest.empty();
}

bool parse_rate(std::string_view text, std::uint64_t& out) {
  double number = 0;
  std::string_view unit;
  if (!number_and_unit(text, number, unit) || number < 0) return false;
  double factor = 1;
  const bool binary = unit.size() > 2 && unit[1] == 'i';
  if (const char prefix = unit.empty() ? ' ' : unit[0]; prefix != 'b' && prefix != 'B') {
    const std::string_view known = "kMGT";
    const std::size_t k = known.find(prefix == 'K' ? 'k' : prefix);
    if (k == std::string_view::npos) return false;
    factor = std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(k + 1));
    unit.remove_prefix(binary ? 2 : 1);
  }
  if (unit == "Bps" || unit == "B/s")
    factor *= 8;
  else if (unit != "bps" && unit != "b/s")
    return false;
  const double rate = number * factor;
  if (rate > 9e18) return false;
  out = static_cast<std::uint64_t>(std::llround(rate));
  return true;
}

bool parse_delay(std::string_view text, std::int64_t& out_ns) {
  double number = 0;
  std::string_view unit;
  if (!number_and_unit(text, number, unit) || number < 0) return false;
  for (const auto& [name, ns] :
       {std::pair("ps", 1e-3), std::pair("ns", 1.0), std::pair("us", 1e3), std::pair("ms", 1e6), std::pair("s", 1e9)})
    if (unit == name && number * ns < 4e15) {
      out_ns = std::llround(number * ns);
      return true;
    }
  return false;
}

}  // namespace tutti::net::packet
