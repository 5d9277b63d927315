#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tutti::report {

/// An SQLite file. @throws ConfigError  it cannot be opened, read or written: names the file.
class Sqlite {
 public:
  /// A new file; one that is there goes.
  static Sqlite create(const std::string& path);
  /// One that is there, to read.
  static Sqlite open(const std::string& path);
  ~Sqlite();
  Sqlite(Sqlite&& other) noexcept;
  Sqlite& operator=(Sqlite&&) = delete;
  void run(const std::string& sql);

 private:
  friend class Statement;
  Sqlite() = default;
  [[noreturn]] void fail() const;
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// One prepared statement: bind a row's values in order, then insert(); or step() and read columns in order.
class Statement {
 public:
  Statement(Sqlite& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... V>
  void insert(const V&... values) {
    next_ = 0;
    (bind(values), ...);
    finish();
  }
  /// @return false at the end.
  bool step();
  std::int64_t number();
  double real();
  std::string text();
  /// Null is Time::max().
  Time time();
  bool null() const;
  void skip() { ++next_; }

 private:
  void bind(std::string_view text);
  void bind(const std::string& text) { bind(std::string_view(text)); }
  void bind(const char* text) { bind(std::string_view(text)); }
  void bind(double number);
  void bind_number(std::int64_t number);
  template <std::integral I>
  void bind(I number) {
    bind_number(static_cast<std::int64_t>(number));
  }
  /// Picoseconds; Time::max() is null.
  void bind(Time time);
  template <class T>
  void bind(const std::optional<T>& one) {
    one ? bind(*one) : bind_null();
  }
  void bind_null();
  void finish();

  Sqlite& database_;
  sqlite3_stmt* handle_ = nullptr;
  int next_ = 0;
};

}  // namespace tutti::report
