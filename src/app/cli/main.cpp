#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/help.h"
#include "base/error.h"

namespace {

using namespace tutti;

int run(const std::vector<std::string_view>& words) {
  const std::vector<std::string_view> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (words.empty()) {
    std::fputs(app::overview().c_str(), stderr);
    return static_cast<int>(ExitCode::bad_input);
  }
  if (words[0] == "--help" || words[0] == "-h") return std::fputs(app::overview().c_str(), stdout), 0;
  try {
    if (words[0] == "--version") return app::commands().at("version").run(rest);
    return app::commands().at(words[0]).run(rest);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", Paint(stderr).message(e.what()).c_str());
    return static_cast<int>(e.code());
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "internal error: %s\n", e.what());
  }
  return static_cast<int>(ExitCode::internal);
}

}  // namespace

int main(int argc, char** argv) {
  const int code = run({argv + 1, argv + argc});
  // A result that did not reach its reader is not done.
  if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && code == 0) {
    std::fprintf(stderr, "error: standard output cannot be written: %s\n", std::strerror(errno));
    return static_cast<int>(ExitCode::bad_input);
  }
  return code;
}
