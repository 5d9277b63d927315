#include "app/cli/command.h"

namespace tutti::app {

void CommonOptions::declare(Options& options) {
  options.group("General");
  options.flag({"--quiet", "-q"}, quiet, {"results and errors only"});
  options.flag({"--verbose", "-v"}, verbose, {"say more about how results came about"});
  options.flag({"--help", "-h"}, help, {"print this"});
}

}  // namespace tutti::app
