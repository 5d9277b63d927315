#include "report/sqlite.h"

#include <cstdio>
#include <utility>

#include <sqlite3.h>

#include "base/error.h"

namespace tutti::report {

void Sqlite::fail() const {
  throw ConfigError("error: " + path_ + ": " + (handle_ ? sqlite3_errmsg(handle_) : "cannot be opened"));
}

Sqlite Sqlite::create(const std::string& path) {
  std::remove(path.c_str());
  Sqlite s;
  s.path_ = path;
  if (sqlite3_open(path.c_str(), &s.handle_) != SQLITE_OK) s.fail();
  s.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  return s;
}

Sqlite Sqlite::open(const std::string& path) {
  Sqlite s;
  s.path_ = path;
  if (sqlite3_open_v2(path.c_str(), &s.handle_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) s.fail();
  return s;
}

Sqlite::Sqlite(Sqlite&& other) noexcept : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, {})) {}
Sqlite::~Sqlite() { sqlite3_close(handle_); }

void Sqlite::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(Sqlite& database, const std::string& sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle_, sql.c_str(), -1, &handle_, nullptr) != SQLITE_OK) database.fail();
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::bind(std::string_view text) {
  sqlite3_bind_text(handle_, ++next_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}
void Statement::bind(double number) { sqlite3_bind_double(handle_, ++next_, number); }
void Statement::bind_number(std::int64_t number) { sqlite3_bind_int64(handle_, ++next_, number); }
void Statement::bind_null() { sqlite3_bind_null(handle_, ++next_); }
void Statement::bind(Time time) { time == Time::max() ? bind_null() : bind_number(time.ps()); }

void Statement::finish() {
  if (sqlite3_step(handle_) != SQLITE_DONE) database_.fail();
  sqlite3_reset(handle_);
}

bool Statement::step() {
  next_ = 0;
  const int state = sqlite3_step(handle_);
  if (state != SQLITE_ROW && state != SQLITE_DONE) database_.fail();
  return state == SQLITE_ROW;
}

bool Statement::null() const { return sqlite3_column_type(handle_, next_) == SQLITE_NULL; }
std::int64_t Statement::number() { return sqlite3_column_int64(handle_, next_++); }
double Statement::real() { return sqlite3_column_double(handle_, next_++); }
Time Statement::time() {
  const bool none = null();
  const std::int64_t ps = number();
  return none ? Time::max() : Time::ps(ps);
}
std::string Statement::text() {
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, next_));
  const int size = sqlite3_column_bytes(handle_, next_++);
  return bytes ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

}  // namespace tutti::report
