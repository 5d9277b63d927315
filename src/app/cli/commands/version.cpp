#include <cstdio>

#include "app/cli/command.h"
#include "base/error.h"
#include "base/version.h"

namespace tutti::app {

Command version_command() {
  return {"version", "prints the version", [](const std::vector<std::string_view>& arguments) {
            if (!arguments.empty()) throw ConfigError("tutti version takes no arguments");
            std::printf("tutti %s\n", version);
            return 0;
          }};
}

}  // namespace tutti::app
