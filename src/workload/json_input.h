#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tutti::workload {

/// A JSON file of settings and the faults found in it, which point at the line of their key.
class JsonInput {
 public:
  /// @throws ConfigError  the file cannot be read.
  static JsonInput from_file(const std::string& path);
  /// @throws ConfigError  not JSON, not an object, or a key that occurs twice: with line and column.
  JsonInput(std::string text, std::string path);

  const nlohmann::json& root() const { return root_; }
  const std::string& text() const { return text_; }
  /// "path:line:column" of the first place where "key" stands; `path` if nowhere.
  std::string place(std::string_view key) const;
  void fault(std::string_view key, const std::string& what);
  /// @throws ConfigError  if there was a fault; lists all.
  void finish() const;

 private:
  std::string text_, path_, faults_;
  nlohmann::json root_;
};

}  // namespace tutti::workload
