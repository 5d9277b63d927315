#pragma once
#include <string_view>
#include <vector>

#include "ccl/endpoint.h"

namespace tutti::ccl {

/// What a kernel is started with.
struct KernelArgs {
  Address tensor = 0;         ///< of this rank; result in place
  std::int64_t elements = 0;  ///< of the tensor, any number from 0
  memory::DType dtype = memory::DType::f16;
  memory::ReduceOp op = memory::ReduceOp::sum;
  int rank = 0;
  int world_size = 1;
};

using KernelFunction = sim::Process<> (*)(Endpoint& tl, KernelArgs args);

/// A collective kernel and the topology whose ports it uses.
struct Kernel {
  std::string_view name;
  std::string_view topology;
  KernelFunction run;
};

/// Kernels of kernels/builtin.def, in its order.
const std::vector<Kernel>& kernels();
/// @throws ConfigError  unknown; lists what is known.
const Kernel& kernel(std::string_view name);

}  // namespace tutti::ccl
