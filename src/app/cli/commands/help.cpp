#include "app/cli/help.h"

#include <cstdio>

namespace tutti::app {
namespace {

struct Help {
  static constexpr std::string_view name = "help", summary = "explains a command";
  static CommandText text() {
    return {"Without a command: lists them all.",
            {{"tutti help config", "says what `tutti config` does"},
             {"tutti help --manual > tutti.1", "writes the manual page"}}};
  }
  std::string command;
  bool manual = false;
  void declare(Options& o) {
    std::vector<std::string> known = commands().names();
    o.positional("COMMAND", command, false, {"which one", "COMMAND", known});
    o.flag({"--manual"}, manual, {"print all commands as a manual page (roff)"});
  }
  int run(const Context&) {
    if (manual) return std::fputs(manual_page().c_str(), stdout), 0;
    if (command.empty()) return std::fputs(overview().c_str(), stdout), 0;
    const Command& c = commands().at(command);
    if (!c.options) return c.run({"--help"});
    print_help(c, stdout);
    return 0;
  }
};

}  // namespace

Command help_command() { return make_command<Help>(); }

}  // namespace tutti::app
