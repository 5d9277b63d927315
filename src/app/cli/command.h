#pragma once
#include <string_view>
#include <vector>

namespace tutti::app {

/// A command of `tutti`: one file in commands/ and one line in commands/builtin.def.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// @param arguments  without the program and the command's name.
  /// @return the exit code. Errors may be thrown: the caller prints them and exits with their code.
  int (*run)(const std::vector<std::string_view>& arguments);
};

const std::vector<Command>& commands();

}  // namespace tutti::app
