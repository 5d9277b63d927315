#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "base/units.h"

namespace tutti {

/// Writes JSON in the order of the calls: the same calls give the same bytes on every machine.
///
///     JsonWriter json;
///     json.begin_object().field("makespan_ns", time).key("ranks").begin_array();
///     for (...) json.begin_object().field("rank", r).end_object();
///     json.end_array().end_object();
///     json.take();
///
/// Times are nanoseconds with up to three decimals, exact to the picosecond; numbers the shortest text that reads back
/// equal; what is not finite is null; text that is not UTF-8 gets U+FFFD. Members of the outermost object and entries
/// of its lists and objects stand on a line each, what is within them on one line.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// @pre within an object.
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(Time time) { return raw(to_ns(time)); }
  JsonWriter& value(Bytes size) { return raw(std::to_string(size.count())); }
  JsonWriter& value(double number);
  template <std::integral I>
  JsonWriter& value(I number) {
    return raw(std::to_string(number));
  }
  JsonWriter& null() { return raw("null"); }
  /// JSON that is already written.
  JsonWriter& raw(std::string_view json);

  template <class T>
  JsonWriter& field(std::string_view name, const T& one) {
    return key(name).value(one);
  }
  /// Nothing if there is no value.
  template <class T>
  JsonWriter& field(std::string_view name, const std::optional<T>& one) {
    return one ? key(name).value(*one) : *this;
  }
  /// A list of values.
  template <class T>
  JsonWriter& field(std::string_view name, const std::vector<T>& all) {
    key(name).begin_array();
    for (const auto& one : all) value(one);
    return end_array();
  }

  /// The text with a newline at its end. @pre everything that was begun is ended.
  std::string take();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void before();
  void line();
  struct Level {
    char bracket;
    bool empty = true;
  };
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

/// Text as a JSON string with its quotes.
std::string json_quoted(std::string_view text);

/// The member "inputs" of a result: {"path": {"value": ..., "origin": ...}, ...}. A path that occurs twice: its first.
void write_inputs(JsonWriter& json, const std::vector<Setting>& settings);

}  // namespace tutti
