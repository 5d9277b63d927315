#include "ccl/kernel.h"

namespace tutti::ccl {

#define TUTTI_BUILTIN(name) Kernel name##_kernel();
#include "ccl/kernels/builtin.def"
#undef TUTTI_BUILTIN

const Registry<Kernel>& kernels() {
  static const Registry<Kernel> all("algorithm", {
#define TUTTI_BUILTIN(name) name##_kernel(),
#include "ccl/kernels/builtin.def"
#undef TUTTI_BUILTIN
                                                 });
  return all;
}

const Kernel& kernel(std::string_view name) { return kernels().at(name); }

std::vector<Neighbors> neighbors_for(const Kernel& kernel, std::string_view topology, int world_size,
                                     std::optional<Grid> grid) {
  auto all = neighbors_of(topology, world_size, grid);
  if (kernel.neighbors)
    for (int r = 0; r < world_size; ++r) kernel.neighbors(r, world_size, all[static_cast<std::size_t>(r)]);
  return all;
}

}  // namespace tutti::ccl
