#include "app/cli/command.h"

namespace tutti::app {

#define TUTTI_BUILTIN(name) Command name##_command();
#include "app/cli/commands/builtin.def"
#undef TUTTI_BUILTIN

const Registry<Command>& commands() {
  static const Registry<Command> all("command", {
#define TUTTI_BUILTIN(name) name##_command(),
#include "app/cli/commands/builtin.def"
#undef TUTTI_BUILTIN
                                                });
  return all;
}

}  // namespace tutti::app
