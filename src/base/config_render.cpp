#include <algorithm>

#include "base/config_tree.h"

namespace tutti::config {
namespace {

constexpr std::size_t most_faults = 1000, widest = 110;

std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// A line with a caret under one column; a long line is cut on both sides.
std::string excerpt(std::string_view text, std::uint32_t number, std::uint32_t column, bool numbered) {
  std::string_view line = line_of(text, number);
  const std::size_t at = std::min<std::size_t>(column ? column - 1 : 0, line.size());
  std::size_t from = line.size() > widest && at > widest / 2 ? at - widest / 2 : 0;
  while (from > 0 && continues_character(line[from])) --from;
  std::size_t to = std::min(from + widest, line.size());
  while (to < line.size() && continues_character(line[to])) ++to;
  std::string shown = from > 0 ? "..." : "", under(shown.size(), ' ');
  for (std::size_t i = from; i < to; ++i) {
    shown += static_cast<unsigned char>(line[i]) < 0x20 ? ' ' : line[i];
    if (i < at && !continues_character(line[i])) under += ' ';
  }
  if (to < line.size()) shown += "...";
  std::string margin = numbered ? std::to_string(number) : "";
  if (margin.size() < 5) margin.insert(0, 5 - margin.size(), ' ');
  return margin + " | " + shown + "\n" + std::string(margin.size(), ' ') + " | " + under + "^";
}

}  // namespace

std::string render(const std::vector<Source>& sources, std::vector<Fault> faults) {
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) { return a.place < b.place; });
  std::string out;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (i == most_faults) {
      out += "\nerror: " + std::to_string(faults.size() - i) + " more faults";
      break;
    }
    const auto& [place, message] = faults[i];
    const Source& source = sources[place.source];
    if (i) out += '\n';
    out += source.name;
    const bool numbered = source.kind != Source::Kind::flag && place.line > 0;
    if (numbered) out += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    out += ": error: " + message;
    if (place.line > 0) out += "\n" + excerpt(source.text, place.line, place.column, numbered);
  }
  return out;
}

std::string origin(const std::vector<Source>& sources, const Place& place) {
  const Source& source = sources[place.source];
  switch (source.kind) {
    case Source::Kind::built_in:
      return "default";
    case Source::Kind::flag:
      return source.name;
    case Source::Kind::file:
      break;
  }
  return source.name + ":" + std::to_string(place.line);
}

}  // namespace tutti::config
