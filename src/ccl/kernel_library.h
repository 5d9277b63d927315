#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "ccl/kernel.h"

#ifdef TUTTI_TRAMPOLINE
#define TUTTI_HANDOVER "trampoline"
#else
#define TUTTI_HANDOVER "tail call"
#endif
/// What a library and the program that loads it must agree on: coroutine frames and layouts are shared by both. A
/// literal, so that each has its own.
#define TUTTI_KERNEL_ABI "tutti " TUTTI_VERSION ", " TUTTI_HANDOVER ", C++ " __VERSION__

namespace tutti::ccl {

/// What a library of kernels hands over. Its kernels live as long as the program.
struct KernelList {
  const Kernel* first;
  std::size_t count;
};

/// Kernels of a shared library outside of the source tree, built against the installed headers:
///
///     TUTTI_KERNEL_LIBRARY({"halo", "ring_1d", run, "custom"})
///
/// A file that names a library does not load it: the program does, where its user asks for it by name.
class KernelLibrary {
 public:
  /// Loads the library; it stays loaded until the program ends, because coroutines of its kernels may.
  /// @throws ConfigError  no such file, no kernels in it, or built for another version or compiler.
  explicit KernelLibrary(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// Whether `named`, as ccl.yaml has it, is this library: the same file, or its bare file name.
  bool is(std::string_view named) const;
  /// @param name  empty: the only one.
  /// @throws ConfigError  there is none of that name, or several without a name.
  const Kernel& kernel(std::string_view name) const;

 private:
  std::string path_;
  std::vector<Kernel> kernels_;
};

}  // namespace tutti::ccl

/// Makes a shared library a library of kernels; stands once in one of its files, outside of any namespace. Each
/// argument is what braces around a Kernel would hold.
#define TUTTI_KERNEL_LIBRARY(...)                                        \
  extern "C" const char* tutti_kernel_abi() { return TUTTI_KERNEL_ABI; } \
  extern "C" void tutti_kernels(tutti::ccl::KernelList* list) {          \
    static const tutti::ccl::Kernel all[] = {__VA_ARGS__};               \
    *list = {all, sizeof all / sizeof all[0]};                           \
  }
