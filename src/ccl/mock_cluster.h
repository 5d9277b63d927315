#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ccl/kernel.h"
#include "ccl/topologies.h"
#include "plan/schedule.h"

namespace tutti::ccl {

/// Runs kernels on real bytes without a machine: no time passes, a message arrives as it is sent, credits are counted
/// as on a PE. For unit tests of kernels; a run takes milliseconds.
struct MockCluster {
  int world_size = 1;
  std::uint32_t n_slots = 8;
  Bytes slot_size = Bytes(4096);
  std::string topology = {};  ///< empty: the kernel's own
  std::optional<Grid> grid = {};

  /// Runs `kernel` on every rank; `tensors[rank]` holds its elements before, and its result after: the tensor, or the
  /// output of an all_to_all.
  /// @throws DeadlockError  some rank never ends: names each, its call's source line, port, pointers and peer.
  /// @throws ModelError  what a PE would refuse too; a message never received or a slot never released.
  void run(const Kernel& kernel, KernelArgs args, std::vector<std::vector<std::byte>>& tensors) const;

  /// Runs `schedule` on as many ranks as it has, with as many ports as it needs; `inputs[rank]` as plan::Collective
  /// says. Outputs that the collective does not define are zeros. @throws DeadlockError, ModelError  as above.
  void run(const plan::Schedule& schedule, memory::DType dtype, memory::ReduceOp op,
           const std::vector<std::vector<std::byte>>& inputs, std::vector<std::vector<std::byte>>& outputs) const;
};

}  // namespace tutti::ccl
