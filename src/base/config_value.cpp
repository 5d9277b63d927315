#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/config_document.h"
#include "base/suggest.h"

namespace tutti {

using config::Node;

namespace {

std::string print(bool v) { return v ? "true" : "false"; }
std::string print(std::int64_t v) { return std::to_string(v); }
std::string print(double v) { return fmt::format("{}", v); }
template <class T>
std::string print(T quantity) {
  return to_string(quantity);
}

template <class T>
std::string describe(const Range<T>& range, const std::string& noun) {
  const bool low = range.low != Range<T>().low || range.above, high = range.high != Range<T>().high;
  if (range.above && high) return noun + " above " + print(range.low) + ", at most " + print(range.high);
  if (low && high) return noun + " from " + print(range.low) + " to " + print(range.high);
  if (low) return noun + (range.above ? " above " : " of at least ") + print(range.low);
  if (high) return noun + " of at most " + print(range.high);
  return noun;
}

/// Decimal or 0x hexadecimal, the whole of the text.
bool parse_integer(std::string_view text, std::int64_t& out) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hex ? 16 : 10);
  const std::uint64_t most = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || magnitude > most) return false;
  out = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool parse_number(std::string_view text, double& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() && std::isfinite(out);
}

std::string_view last_word(std::string_view path) {
  const std::size_t at = path.find_last_of("._");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

/// The unit that a bare number has by the name of its key, or "".
std::string_view unit_of(std::string_view path) {
  // Entries of a list take the unit of the list's name.
  while (!path.empty() && path.find_last_not_of("0123456789") != path.size() - 1) {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos) break;
    path = path.substr(0, dot);
  }
  const std::string_view word = last_word(path);
  for (const std::string_view unit : {"ps", "ns", "us", "ms", "s"})
    if (word == unit && path.find('_') != std::string_view::npos) return unit;
  if (word == "bytes") return "B";
  if (word == "gbs") return "GB/s";
  if (word == "gbps") return "Gbps";
  return {};
}

bool fits(Time, std::string_view unit) { return unit.ends_with('s') && unit.size() <= 2; }
bool fits(Bytes, std::string_view unit) { return unit == "B"; }
bool fits(Bandwidth, std::string_view unit) { return unit == "GB/s" || unit == "Gbps"; }

}  // namespace

bool ConfigValue::is_null() const { return node_ && node_->kind == Node::Kind::null; }
bool ConfigValue::is_scalar() const { return node_ && node_->kind == Node::Kind::scalar; }
bool ConfigValue::is_list() const { return node_ && node_->kind == Node::Kind::list; }
bool ConfigValue::is_map() const { return node_ && node_->kind == Node::Kind::map; }

void ConfigValue::fault(const std::string& message) const {
  if (quiet_) return;
  document_->fault((node_ ? node_ : anchor_)->place, path_.empty() ? message : path_ + ": " + message);
}

std::string ConfigValue::origin() const {
  return node_ ? config::origin(document_->sources, node_->place) : std::string("default");
}

std::string ConfigValue::place() const {
  const config::Place& p = (node_ ? node_ : anchor_)->place;
  const config::Source& source = document_->sources[p.source];
  if (!node_ || source.kind == config::Source::Kind::flag) return source.name;
  return fmt::format("{}:{}:{}", source.name, p.line, p.column);
}

template <class T, class Parse, class Print>
T ConfigValue::read(std::optional<T> fallback, const std::string& expected, Parse parse, Print to_text) const {
  if (!node_) {
    if (fallback)
      document_->settings.push_back({path_, to_text(*fallback), "default"});
    else
      fault("is missing; expected " + expected);
    return fallback.value_or(T{});
  }
  if (node_->kind != Node::Kind::scalar) {
    fault(fmt::format("expected {}, not {}", expected, config::describe(node_->kind)));
    return fallback.value_or(T{});
  }
  T value{};
  if (const std::string why = parse(*node_, value); !why.empty()) {
    fault(why);
    return fallback.value_or(T{});
  }
  document_->settings.push_back({path_, to_text(value), origin()});
  return value;
}

template <class T, class Parse, class Print>
T ConfigValue::read_within(std::optional<T> fallback, Range<T> range, const std::string& noun, Parse parse,
                           Print to_text) const {
  const std::string expected = describe(range, noun);
  return read<T>(
      fallback, expected,
      [&](const Node& node, T& out) -> std::string {
        if (std::string why = parse(node, out); !why.empty()) return why;
        if (out < range.low || out > range.high || (range.above && !(out > range.low)))
          return fmt::format("{} is out of range; expected {}", node.text, expected);
        return {};
      },
      to_text);
}

template <class T>
T ConfigValue::read_quantity(std::optional<T> fallback, Range<T> range, const std::string& noun) const {
  return read_within<T>(
      fallback, range, noun,
      [&](const Node& node, T& out) -> std::string {
        std::string text = node.text, why;
        const std::string_view unit = unit_of(path_);
        double bare = 0;
        if (fits(T(), unit) && parse_number(text, bare)) text += " " + std::string(unit);
        return parse(text, out, why) ? "" : why;
      },
      [](T v) { return to_string(v); });
}

bool ConfigValue::boolean(std::optional<bool> fallback) const {
  return read<bool>(
      fallback, "true or false",
      [](const Node& node, bool& out) -> std::string {
        out = node.text == "true";
        if (!node.quoted && (out || node.text == "false")) return {};
        return fmt::format("expected true or false, not '{}'", node.text);
      },
      [](bool v) { return print(v); });
}

std::int64_t ConfigValue::integer(std::optional<std::int64_t> fallback, Range<std::int64_t> range) const {
  return read_within<std::int64_t>(
      fallback, range, "a whole number",
      [&](const Node& node, std::int64_t& out) -> std::string {
        if (!node.quoted && parse_integer(node.text, out)) return {};
        return fmt::format("expected {}, not {}'{}'", describe(range, "a whole number"), node.quoted ? "the text " : "",
                           node.text);
      },
      [](std::int64_t v) { return print(v); });
}

double ConfigValue::number(std::optional<double> fallback, Range<double> range) const {
  return read_within<double>(
      fallback, range, "a number",
      [&](const Node& node, double& out) -> std::string {
        if (!node.quoted && parse_number(node.text, out)) return {};
        return fmt::format("expected {}, not {}'{}'", describe(range, "a number"), node.quoted ? "the text " : "",
                           node.text);
      },
      [](double v) { return print(v); });
}

std::string ConfigValue::text(std::optional<std::string> fallback) const {
  return read<std::string>(
      std::move(fallback), "a text",
      [](const Node& node, std::string& out) -> std::string {
        out = node.text;
        return {};
      },
      [](const std::string& v) { return v; });
}

Time ConfigValue::time(std::optional<Time> fallback, Range<Time> range) const {
  return read_quantity<Time>(fallback, range, "a time");
}
Bytes ConfigValue::bytes(std::optional<Bytes> fallback, Range<Bytes> range) const {
  return read_quantity<Bytes>(fallback, range, "a size");
}
Bandwidth ConfigValue::bandwidth(std::optional<Bandwidth> fallback, Range<Bandwidth> range) const {
  return read_quantity<Bandwidth>(fallback, range, "a bandwidth");
}

std::string ConfigValue::one_of(const std::vector<std::string>& known, std::optional<std::string> fallback) const {
  std::string expected = "one of";
  for (std::size_t i = 0; i < known.size(); ++i) expected += (i ? ", " : " ") + known[i];
  const std::string noun(path_.substr(path_.rfind('.') == std::string::npos ? 0 : path_.rfind('.') + 1));
  return read<std::string>(
      std::move(fallback), expected,
      [&](const Node& node, std::string& out) -> std::string {
        for (const std::string& one : known)
          if (one == node.text) return out = one, "";
        return unknown_name(noun, node.text, known);
      },
      [](const std::string& v) { return v; });
}

}  // namespace tutti
