#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace tutti::app {
namespace {

void write(const std::string& path, std::string_view text, const char* mode) {
  const auto fail = [&](int code) {
    throw ConfigError("error: " + path + " cannot be written: " + std::strerror(code));
  };
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code made;
  if (!folder.empty()) std::filesystem::create_directories(folder, made);
  std::FILE* const file = std::fopen(path.c_str(), mode);
  if (!file) fail(errno);
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int why = errno;
  if (std::fclose(file) != 0) fail(errno);
  if (!whole) fail(why);
}

}  // namespace

void write_file(const std::string& path, std::string_view text) { write(path, text, "wb"); }
void write_new_file(const std::string& path, std::string_view text) { write(path, text, "wbx"); }

void ResultOutput::declare(Options& options) {
  options.group("Results");
  options.value({"--json"}, json, {"result as JSON; - prints it alone on standard output", "FILE"});
  options.value({"--out"}, out, {"writes DIR/result.json and DIR/run.sqlite (docs/results.md)", "DIR"});
}

void ResultOutput::deliver(std::string_view text) const {
  if (on_stdout())
    std::fwrite(text.data(), 1, text.size(), stdout);
  else if (!json.empty())
    write_file(json, text);
  if (!out.empty()) write_file(out + "/result.json", text);
}

}  // namespace tutti::app
