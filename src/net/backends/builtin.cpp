#include "net/backend.h"

namespace tutti::net {

#define TUTTI_BUILTIN(name) BackendKind name##_backend();
#include "net/backends/builtin.def"
#undef TUTTI_BUILTIN

const Registry<BackendKind>& backends() {
  static const Registry<BackendKind> all("backend", {
#define TUTTI_BUILTIN(name) name##_backend(),
#include "net/backends/builtin.def"
#undef TUTTI_BUILTIN
                                                    });
  return all;
}

const BackendKind& backend(std::string_view name) { return backends().at(name); }

std::unique_ptr<Backend> open_backend(std::string_view name, sim::Simulation& simulation, const std::string& file,
                                      const BackendOptions& options) {
  const BackendKind& kind = backend(name);
  if (kind.open) return kind.open(simulation, file, options);
  return kind.make(simulation, read_network_file(file), options);
}

}  // namespace tutti::net
