#pragma once
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "base/registry.h"
#include "base/terminal.h"

namespace tutti::app {

/// A command line that works as it stands, and what it shows.
struct Example {
  std::string_view line, shows;
};

/// What a command says about itself beyond its summary.
struct CommandText {
  std::string_view about;  ///< paragraphs
  std::vector<Example> examples;
};

/// A command of `tutti`: one file in commands/ and one line in commands/builtin.def.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// @param arguments  without the program and the command's name.
  /// @return the exit code. Errors may be thrown: the caller prints them and exits with their code.
  int (*run)(const std::vector<std::string_view>& arguments);
  /// What help, completion and the manual page are made of. Null: the command prints its own help.
  std::vector<OptionRow> (*options)() = nullptr;
  CommandText (*text)() = nullptr;
};

const Registry<Command>& commands();

/// What every command gets.
struct Context {
  const Options& options;
  bool quiet = false;    ///< results and errors only
  bool verbose = false;  ///< how results came about
};

/// The options that every command has.
struct CommonOptions {
  bool help = false, quiet = false, verbose = false;
  void declare(Options& options);
};

/// Prints the help of a command that has a table of options.
void print_help(const Command& command, std::FILE* to);

/// Makes a Command of a type like this:
///
///     struct Hello {
///       static constexpr std::string_view name = "hello", summary = "greets";
///       static CommandText text() { return {"Paragraphs.", {{"tutti hello --name Ann", "greets Ann"}}}; }
///       std::string who = "world";
///       void declare(Options& options) { options.value({"--name"}, who, {"whom to greet"}); }
///       int run(const Context& context) { ... }
///     };
///     Command hello_command() { return make_command<Hello>(); }
template <class T>
Command make_command() {
  return {T::name, T::summary,
          [](const std::vector<std::string_view>& arguments) {
            T command;
            CommonOptions common;
            Options options;
            command.declare(options);
            common.declare(options);
            // Help is given even beside options that are wrong.
            for (const std::string_view word : arguments)
              if (word == "--help" || word == "-h") return print_help(make_command<T>(), stdout), 0;
            options.parse(arguments);
            return command.run({options, common.quiet, common.verbose});
          },
          [] {
            T command;
            CommonOptions common;
            Options options;
            command.declare(options);
            common.declare(options);
            return options.rows();
          },
          [] { return T::text(); }};
}

}  // namespace tutti::app
