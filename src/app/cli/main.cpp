#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "base/error.h"

namespace {

int usage(std::FILE* to) {
  std::fputs("usage: tutti COMMAND [options]\n", to);
  for (const auto& c : tutti::app::commands())
    std::fprintf(to, "  %-10s %s\n", std::string(c.name).c_str(), std::string(c.summary).c_str());
  std::fputs("tutti COMMAND --help says more.\n", to);
  return static_cast<int>(tutti::ExitCode::bad_input);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  if (words.empty()) return usage(stderr);
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return usage(stdout), 0;
  try {
    for (const auto& c : tutti::app::commands())
      if (c.name == words[0]) return c.run({words.begin() + 1, words.end()});
    std::fprintf(stderr, "tutti: unknown command '%s'\n", argv[1]);
    return usage(stderr);
  } catch (const tutti::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return static_cast<int>(e.code());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tutti: internal error: %s\n", e.what());
    return static_cast<int>(tutti::ExitCode::internal);
  }
}
