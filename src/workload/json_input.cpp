#include "workload/json_input.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "base/error.h"

namespace tutti::workload {
namespace {

std::string place_of(const std::string& text, const std::string& path, std::size_t at) {
  std::size_t line = 1, begin = 0;
  for (std::size_t i = 0; i < at && i < text.size(); ++i)
    if (text[i] == '\n') ++line, begin = i + 1;
  return fmt::format("{}:{}:{}", path, line, at - begin + 1);
}

}  // namespace

JsonInput JsonInput::from_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ConfigError(path + ": error: the file cannot be read");
  return JsonInput(text.str(), path);
}

JsonInput::JsonInput(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {
  std::vector<std::set<std::string>> open;
  std::string twice;
  const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    if (event == nlohmann::json::parse_event_t::object_start) open.emplace_back();
    if (event == nlohmann::json::parse_event_t::object_end) open.pop_back();
    if (event == nlohmann::json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  try {
    root_ = nlohmann::json::parse(text_, watch);
  } catch (const nlohmann::json::parse_error& e) {
    std::string what = e.what();
    if (const auto colon = what.find("error parsing value"); colon != std::string::npos) what = what.substr(colon);
    throw ConfigError(fmt::format("{}: error: not JSON: {}", place_of(text_, path_, e.byte ? e.byte - 1 : 0), what));
  }
  if (!twice.empty()) throw ConfigError(fmt::format("{}: error: key '{}' occurs twice", place(twice), twice));
  if (!root_.is_object()) throw ConfigError(path_ + ": error: a JSON object is needed");
}

std::string JsonInput::place(std::string_view key) const {
  const std::size_t at = text_.find("\"" + std::string(key) + "\"");
  return at == std::string::npos ? path_ : place_of(text_, path_, at);
}

void JsonInput::fault(std::string_view key, const std::string& what) {
  faults_ += fmt::format("{}{}: error: {}", faults_.empty() ? "" : "\n", place(key), what);
}

void JsonInput::finish() const {
  if (!faults_.empty()) throw ConfigError(faults_);
}

}  // namespace tutti::workload
