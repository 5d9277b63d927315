#include "ccl/kernel_library.h"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/suggest.h"

namespace tutti::ccl {
namespace {

template <class F>
F symbol(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

}  // namespace

KernelLibrary::KernelLibrary(const std::string& path) : path_(path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  if (failed) throw ConfigError(fmt::format("error: kernel library {}: {}", path, failed.message()));
  void* const library = dlopen(real.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw ConfigError(fmt::format("error: kernel library {}: {}", path, dlerror()));
  const auto abi = symbol<const char* (*)()>(library, "tutti_kernel_abi");
  const auto list = symbol<void (*)(KernelList*)>(library, "tutti_kernels");
  if (!abi || !list)
    throw ConfigError(fmt::format("error: kernel library {}: no TUTTI_KERNEL_LIBRARY(...) in it", path));
  if (std::string_view(abi()) != TUTTI_KERNEL_ABI)
    throw ConfigError(fmt::format("error: kernel library {} was built for {}; this program is {}: build it again", path,
                                  abi(), TUTTI_KERNEL_ABI));
  KernelList found{};
  list(&found);
  kernels_.assign(found.first, found.first + found.count);
}

bool KernelLibrary::is(std::string_view named) const {
  const std::filesystem::path mine(path_), other(named);
  if (!other.has_parent_path()) return mine.filename() == other;
  std::error_code failed;
  return std::filesystem::equivalent(mine, other, failed);
}

const Kernel& KernelLibrary::kernel(std::string_view name) const {
  std::vector<std::string> names;
  for (const Kernel& k : kernels_) {
    if (k.name == name || (name.empty() && kernels_.size() == 1)) return k;
    names.emplace_back(k.name);
  }
  if (name.empty())
    throw ConfigError(fmt::format("error: kernel library {} has {} kernels; name one with `module`: {}", path_,
                                  names.size(), fmt::join(names, ", ")));
  throw ConfigError(fmt::format("error: kernel library {}: {}", path_, unknown_name("kernel", name, names)));
}

}  // namespace tutti::ccl
