#include "app/cli/completion.h"

#include <cstdio>

#include "app/cli/command.h"

namespace tutti::app {
namespace {

struct Completion {
  static constexpr std::string_view name = "completion", summary = "prints a script that completes commands in a shell";
  static CommandText text() {
    return {"",
            {{"source <(tutti completion bash)", "completes in this shell"},
             {"tutti completion zsh > ~/.zfunc/_tutti", "for zsh, in a folder of its fpath"},
             {"tutti completion fish > ~/.config/fish/completions/tutti.fish", "for fish"}}};
  }
  std::string shell;
  void declare(Options& o) { o.positional("SHELL", shell, true, {"which one", "SHELL", {"bash", "zsh", "fish"}}); }
  int run(const Context&) { return std::fputs(completion_script(shell).c_str(), stdout), 0; }
};

}  // namespace

Command completion_command() { return make_command<Completion>(); }

}  // namespace tutti::app
