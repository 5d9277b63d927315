#pragma once
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// Whether a person watches this stream.
bool is_terminal(std::FILE* stream);

/// Whether to use colour on it: a terminal that is not dumb, and NO_COLOR is not set (https://no-color.org).
bool wants_color(std::FILE* stream);

/// Text in colour, or as it is.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  explicit Paint(std::FILE* stream) : on_(wants_color(stream)) {}
  std::string bold(std::string_view text) const { return in("1", text); }
  std::string red(std::string_view text) const { return in("1;31", text); }
  std::string green(std::string_view text) const { return in("32", text); }
  std::string yellow(std::string_view text) const { return in("33", text); }
  std::string dim(std::string_view text) const { return in("2", text); }
  /// A message for a person: its "error:", "warning:" and carets stand out.
  std::string message(std::string_view text) const;

 private:
  std::string in(const char* code, std::string_view text) const;
  bool on_;
};

/// Columns on a terminal that the text takes: characters, without colour.
std::size_t width(std::string_view text);

/// Rows of aligned columns. Numbers stand to the right.
class Table {
 public:
  /// @param columns  headings; one that starts with '>' is a column of numbers. No heading at all: no heading line.
  explicit Table(std::vector<std::string> columns);
  void add(std::vector<std::string> row);
  /// Lines with `indent` spaces before them and none at their ends.
  std::string text(std::size_t indent = 0) const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::string> headings_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

enum class ProgressMode { automatic, on, off };
/// "auto", "on" or "off". @throws ConfigError
ProgressMode progress_mode(std::string_view word);

/// One line that is rewritten as work goes on. On a terminal at most ten times a second; elsewhere, and only with
/// ProgressMode::on, a line every five seconds. Asking the clock is the cost of update(): call it every thousandth
/// step.
class Progress {
 public:
  Progress(std::FILE* to, ProgressMode mode);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  bool active() const { return active_; }
  /// @param line  made only when it is shown.
  template <class Line>
  void update(Line&& line) {
    if (due()) show(line());
  }
  /// Takes the line away, so that results stand alone.
  void finish();

 private:
  bool due();
  void show(const std::string& line);
  std::FILE* to_;
  bool active_, rewrite_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace tutti
