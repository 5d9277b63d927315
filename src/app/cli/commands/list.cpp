#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/plugins.h"
#include "base/json_writer.h"

namespace tutti::app {
namespace {

std::vector<std::string> kinds() {
  std::vector<std::string> all;
  for (const PluginKind& k : plugin_kinds()) all.emplace_back(k.name);
  return all;
}

struct List {
  static constexpr std::string_view name = "list",
                                    summary = "lists what is built in: algorithms, kernels, formats, ...";
  static CommandText text() {
    return {"Each of these is one file of the source (docs/extending.md).",
            {{"tutti list", "lists everything by kind"},
             {"tutti list kernels", "lists the kernels, one a line"},
             {"tutti list --json", "the same for programs"}}};
  }
  std::string kind;
  bool json = false;
  void declare(Options& o) {
    o.positional("KIND", kind, false, {"only these", "KIND", kinds()});
    o.flag({"--json"}, json, {"as JSON"});
  }
  int run(const Context&) {
    JsonWriter out;
    out.begin_object();
    for (const PluginKind& k : plugin_kinds()) {
      if (!kind.empty() && k.name != kind) continue;
      const std::vector<Plugin> all = k.all();
      if (json) {
        out.key(k.name).begin_array();
        for (const Plugin& p : all) {
          out.begin_object().field("name", p.name);
          if (!p.summary.empty()) out.field("summary", p.summary);
          out.end_object();
        }
        out.end_array();
        continue;
      }
      Table table({"", ""});
      for (const Plugin& p : all) table.add({p.name, p.summary});
      if (kind.empty()) std::printf("%s:\n", std::string(k.name).c_str());
      std::fputs(table.text(kind.empty() ? 2 : 0).c_str(), stdout);
    }
    if (json) std::fputs(out.end_object().take().c_str(), stdout);
    return 0;
  }
};

}  // namespace

Command list_command() { return make_command<List>(); }

}  // namespace tutti::app
