#include <fmt/format.h>

#include "base/error.h"
#include "net/backend.h"

namespace tutti::net {

#define TUTTI_BUILTIN(name) BackendKind name##_backend();
#include "net/backends/builtin.def"
#undef TUTTI_BUILTIN

const std::vector<BackendKind>& backends() {
  static const std::vector<BackendKind> all = {
#define TUTTI_BUILTIN(name) name##_backend(),
#include "net/backends/builtin.def"
#undef TUTTI_BUILTIN
  };
  return all;
}

const BackendKind& backend(std::string_view name) {
  std::vector<std::string_view> known;
  for (const BackendKind& k : backends()) {
    if (k.name == name) return k;
    known.push_back(k.name);
  }
  throw ConfigError(fmt::format("unknown backend '{}'; known: {}", name, fmt::join(known, ", ")));
}

std::unique_ptr<Backend> open_backend(std::string_view name, sim::Simulation& simulation, const std::string& file,
                                      const BackendOptions& options) {
  const BackendKind& kind = backend(name);
  if (kind.open) return kind.open(simulation, file, options);
  return kind.make(simulation, read_network_file(file), options);
}

}  // namespace tutti::net
