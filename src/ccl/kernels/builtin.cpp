#include <fmt/format.h>

#include "base/error.h"
#include "ccl/kernel.h"

namespace tutti::ccl {

#define TUTTI_BUILTIN(name) Kernel name##_kernel();
#include "ccl/kernels/builtin.def"
#undef TUTTI_BUILTIN

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
#define TUTTI_BUILTIN(name) name##_kernel(),
#include "ccl/kernels/builtin.def"
#undef TUTTI_BUILTIN
  };
  return all;
}

const Kernel& kernel(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Kernel& k : kernels()) {
    if (k.name == name) return k;
    known.push_back(k.name);
  }
  throw ConfigError(fmt::format("unknown algorithm '{}'; known: {}", name, fmt::join(known, ", ")));
}

}  // namespace tutti::ccl
