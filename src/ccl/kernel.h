#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "ccl/endpoint.h"
#include "ccl/topologies.h"

namespace tutti::ccl {

/// What a kernel is started with. All ranks get the same, but for `rank` and the addresses.
struct KernelArgs {
  Address tensor = 0;         ///< of this rank; result in place, but for all_to_all
  Address output = 0;         ///< all_to_all: the result
  Address scratch = 0;        ///< as many bytes as Kernel::scratch says
  std::int64_t elements = 0;  ///< of the tensor, any number from 0
  memory::DType dtype = memory::DType::f16;
  memory::ReduceOp op = memory::ReduceOp::sum;
  int rank = 0;
  int world_size = 1;
  int root = 0;             ///< broadcast: whose tensor
  Grid grid;                ///< 2D topologies: rows and columns, and whether they wrap
  Gemm gemm;                ///< fused kernels: the product that fills the tensor
  void* context = nullptr;  ///< of kernels in other languages: what runs them on this rank
};

using KernelFunction = sim::Process<> (*)(Endpoint& tl, KernelArgs args);
/// Changes the neighbours that the topology gave a rank. Source: ADR-0023 D11.
using NeighborsHook = std::function<void(int rank, int world_size, Neighbors& neighbors)>;

/// A collective kernel and the topology whose ports it uses.
struct Kernel {
  std::string_view name;
  std::string_view topology;  ///< where ccl.yaml names none
  KernelFunction run = nullptr;
  /// What it does: "all_reduce", "all_gather" (rank r contributes part r of the tensor), "reduce_scatter" (rank r ends
  /// with part r), "broadcast", "all_to_all" (part d of the tensor goes to rank d, which finds it as part r of its
  /// output), "barrier"; "custom": something that only its author can check.
  std::string_view collective = "custom";
  NeighborsHook neighbors = nullptr;
  /// Bytes of scratch memory a rank needs; null: none.
  std::int64_t (*scratch)(const KernelArgs& args, std::uint32_t n_slots, Bytes slot_size) = nullptr;
};

/// Kernels of kernels/builtin.def, in its order.
const Registry<Kernel>& kernels();
/// @throws ConfigError  unknown; lists what is known.
const Kernel& kernel(std::string_view name);

/// Neighbours of every rank: the topology's, changed by the kernel's hook.
std::vector<Neighbors> neighbors_for(const Kernel& kernel, std::string_view topology, int world_size,
                                     std::optional<Grid> grid);

}  // namespace tutti::ccl
