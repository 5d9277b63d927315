#include "app/cli/command.h"

namespace tutti::app {

#define TUTTI_BUILTIN(name) Command name##_command();
#include "app/cli/commands/builtin.def"
#undef TUTTI_BUILTIN

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
#define TUTTI_BUILTIN(name) name##_command(),
#include "app/cli/commands/builtin.def"
#undef TUTTI_BUILTIN
  };
  return all;
}

}  // namespace tutti::app
