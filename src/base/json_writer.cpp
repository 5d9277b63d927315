#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace tutti {
namespace {

constexpr std::size_t levels_of_lines = 2;

/// Length of the UTF-8 character at the start of `text`; 0: it is not one.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && second < 0xA0) return 0;   // longer than it needs to be
    if (first == 0xED && second >= 0xA0) return 0;  // half of a surrogate pair
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second >= 0x90) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  return out + '"';
}

void JsonWriter::line() {
  if (levels_.size() > levels_of_lines) return;
  text_ += '\n';
  text_.append(levels_.size() * 2, ' ');
}

void JsonWriter::before() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) {
    CHECK(text_.empty(), "a second JSON value");
    return;
  }
  CHECK(levels_.back().bracket == '[', "a JSON member without a key");
  if (!levels_.back().empty) text_ += levels_.size() > levels_of_lines ? ", " : ",";
  levels_.back().empty = false;
  line();
}

JsonWriter& JsonWriter::key(std::string_view name) {
  CHECK(!after_key_ && !levels_.empty() && levels_.back().bracket == '{', "a JSON key outside of an object");
  if (!levels_.back().empty) text_ += levels_.size() > levels_of_lines ? ", " : ",";
  levels_.back().empty = false;
  line();
  text_ += json_quoted(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(json_quoted(text)); }
JsonWriter& JsonWriter::value(double number) { return std::isfinite(number) ? raw(fmt::format("{}", number)) : null(); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  before();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  before();
  text_ += bracket;
  levels_.push_back({bracket});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  CHECK(!after_key_ && !levels_.empty() && levels_.back().bracket == (bracket == '}' ? '{' : '['),
        "a JSON bracket that does not match");
  const bool empty = levels_.back().empty;
  const bool lines = levels_.size() <= levels_of_lines;
  levels_.pop_back();
  if (!empty && lines) line();
  text_ += bracket;
  return *this;
}

std::string JsonWriter::take() {
  CHECK(levels_.empty() && !after_key_, "JSON that is not ended");
  std::string out = std::move(text_);
  text_.clear();
  return out + '\n';
}

void write_inputs(JsonWriter& json, const std::vector<Setting>& settings) {
  json.key("inputs").begin_object();
  std::set<std::string_view> seen;
  for (const Setting& s : settings)
    if (seen.insert(s.path).second)
      json.key(s.path).begin_object().field("value", s.value).field("origin", s.origin).end_object();
  json.end_object();
}

}  // namespace tutti
