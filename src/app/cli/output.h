#pragma once
#include <string>
#include <string_view>

#include "app/cli/options.h"

namespace tutti::app {

/// Writes a file whole, or throws. Its folder is made. @throws ConfigError
void write_file(const std::string& path, std::string_view text);
/// The same, but never over a file that is there.
void write_new_file(const std::string& path, std::string_view text);

/// Where the result of a run goes: --json FILE|- and --out DIR.
struct ResultOutput {
  std::string json, out;
  void declare(Options& options);
  /// JSON goes to standard output alone: what a person reads belongs to standard error.
  bool on_stdout() const { return json == "-"; }
  std::FILE* human() const { return on_stdout() ? stderr : stdout; }
  /// Writes the JSON object to where it was asked for. @throws ConfigError
  void deliver(std::string_view text) const;
};

}  // namespace tutti::app
