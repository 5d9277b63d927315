#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tutti::app {

struct Plugin {
  std::string name, summary;
};

/// A kind of plug-in and what is built in of it.
struct PluginKind {
  std::string_view name;  ///< plural: "kernels"
  std::vector<Plugin> (*all)();
};

/// All kinds, for `tutti list` and completion.
const std::vector<PluginKind>& plugin_kinds();

}  // namespace tutti::app
