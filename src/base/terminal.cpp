#include "base/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/suggest.h"

namespace tutti {

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool wants_color(std::FILE* stream) {
  const char* const no = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return is_terminal(stream) && !(no && *no) && !(terminal && std::strcmp(terminal, "dumb") == 0);
}

std::string Paint::in(const char* code, std::string_view text) const {
  if (!on_) return std::string(text);
  return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
}

std::string Paint::message(std::string_view text) const {
  if (!on_) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const auto stress = [&](std::string_view word, auto paint) {
      const std::size_t found = line.find(word);
      if (found == std::string_view::npos || (found > 0 && line[found - 1] != ' ')) return false;
      out += bold(line.substr(0, found));
      out += (this->*paint)(word);
      out += line.substr(found + word.size());
      return true;
    };
    const bool caret = line.ends_with('^') && line.find_first_not_of(" |") == line.size() - 1;
    if (caret)
      out += std::string(line.substr(0, line.size() - 1)) + green("^");
    else if (!stress("error:", &Paint::red) && !stress("warning:", &Paint::yellow))
      out += line;
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::size_t width(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    count += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  }
  return count;
}

Table::Table(std::vector<std::string> columns) : headings_(std::move(columns)) {
  for (std::string& heading : headings_) {
    right_.push_back(heading.starts_with('>'));
    if (right_.back()) heading.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> row) {
  row.resize(headings_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  bool headed = false;
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    widths.push_back(width(headings_[c]));
    headed = headed || !headings_[c].empty();
    for (const auto& row : rows_) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string out;
  const auto print = [&](const std::vector<std::string>& row) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad(widths[c] - width(row[c]), ' ');
      line += (c ? "  " : "") + (right_[c] ? pad + row[c] : row[c] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  if (headed) print(headings_);
  for (const auto& row : rows_) print(row);
  return out;
}

ProgressMode progress_mode(std::string_view word) {
  if (word == "auto") return ProgressMode::automatic;
  if (word == "on") return ProgressMode::on;
  if (word == "off") return ProgressMode::off;
  const std::vector<std::string> known = {"auto", "on", "off"};
  throw ConfigError("error: " + unknown_name("progress mode", word, known));
}

Progress::Progress(std::FILE* to, ProgressMode mode)
    : to_(to),
      active_(mode == ProgressMode::on || (mode == ProgressMode::automatic && is_terminal(to))),
      rewrite_(is_terminal(to)),
      next_(std::chrono::steady_clock::now() + std::chrono::milliseconds(500)) {}

bool Progress::due() {
  if (!active_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + (rewrite_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000));
  return true;
}

void Progress::show(const std::string& line) {
  std::fprintf(to_, rewrite_ ? "\r\x1b[K%s" : "%s\n", line.c_str());
  std::fflush(to_);
  shown_ = true;
}

void Progress::finish() {
  if (shown_ && rewrite_) std::fputs("\r\x1b[K", to_), std::fflush(to_);
  shown_ = false;
}

}  // namespace tutti
