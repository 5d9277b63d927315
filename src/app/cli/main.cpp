#include <cstdio>
#include <string_view>

#include "base/error.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "version") {
    std::puts("tutti 0.1.0");
    return 0;
  }
  std::fputs("usage: tutti version\n", stderr);
  return static_cast<int>(tutti::ExitCode::bad_input);
}
