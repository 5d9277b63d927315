#include <cstdio>

#include "app/cli/command.h"
#include "app/linked.h"
#include "base/json_writer.h"
#include "base/version.h"

#if __has_include(<protozero/version.hpp>)
#include <protozero/version.hpp>
#endif
#if __has_include(<hwy/base.h>)
#include <hwy/base.h>
#endif

namespace tutti::app {
namespace {

std::vector<std::pair<std::string, std::string>> linked() {
  std::vector<std::pair<std::string, std::string>> all(std::begin(found_packages), std::end(found_packages));
#ifdef PROTOZERO_VERSION_STRING
  all.emplace_back("protozero", PROTOZERO_VERSION_STRING);
#endif
#ifdef HWY_MAJOR
  all.emplace_back("highway",
                   std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH));
#endif
  return all;
}

struct Version {
  static constexpr std::string_view name = "version",
                                    summary = "prints the versions of the program and what it is made of";
  static CommandText text() { return {"", {{"tutti version --json", "the same for programs"}}}; }
  bool json = false;
  void declare(Options& o) { o.flag({"--json"}, json, {"as JSON"}); }
  int run(const Context& context) {
    if (json) {
      JsonWriter out;
      out.begin_object().field("tool", "tutti").field("version", version).field("compiler", compiler);
      out.field("build", build_type).key("libraries").begin_object();
      for (const auto& [library, number] : linked()) out.field(library, number);
      std::fputs(out.end_object().end_object().take().c_str(), stdout);
      return 0;
    }
    std::printf("tutti %s\n", version);
    if (context.quiet) return 0;
    std::printf("%s, %s\n", compiler, build_type);
    Table table({"", ""});
    for (const auto& [library, number] : linked()) table.add({library, number});
    std::fputs(table.text(2).c_str(), stdout);
    return 0;
  }
};

}  // namespace

Command version_command() { return make_command<Version>(); }

}  // namespace tutti::app
