#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/defaults.h"

namespace tutti::app {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const EmbeddedFile& f : default_files()) all.emplace_back(f.name);
  return all;
}

struct Config {
  static constexpr std::string_view name = "config", summary = "prints the default files that come with the program";
  static CommandText text() {
    return {"Every command runs without any file, on these. Print one, change it, and give it to the command.",
            {{"tutti config", "lists the files"},
             {"tutti config ccl.yaml > ccl.yaml", "writes a file to start from"},
             {"tutti config --out my", "writes all of them into the folder my"}}};
  }
  std::string file, out;
  void declare(Options& o) {
    o.positional("NAME", file, false, {"which file; \".yaml\" may be left out"});
    o.value({"--out"}, out, {"write all files (or the one named) into this folder, and never over another", "DIR"});
  }
  int run(const Context& context) {
    if (file.empty() && out.empty()) {
      for (const std::string& n : names()) std::printf("%s\n", n.c_str());
      return 0;
    }
    bool found = file.empty();
    for (const EmbeddedFile& f : default_files()) {
      if (!file.empty() && f.name != file && f.name != file + ".yaml") continue;
      found = true;
      if (out.empty()) {
        std::fwrite(f.text.data(), 1, f.text.size(), stdout);
        continue;
      }
      const std::string path = out + "/" + std::string(f.name);
      write_new_file(path, f.text);
      if (!context.quiet) std::fprintf(stderr, "wrote %s\n", path.c_str());
    }
    if (!found) throw ConfigError("error: " + unknown_name("file", file, names()));
    return 0;
  }
};

}  // namespace

Command config_command() { return make_command<Config>(); }

}  // namespace tutti::app
