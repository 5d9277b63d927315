#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/machine.h"
#include "host/dp_policy.h"
#include "memory/dtype.h"

namespace tutti::host {

/// A tensor of one or two dimensions on the PEs of a machine. Each SIP holds a whole one (a host rank's), placed by a
/// DPPolicy; a shard is its block on one PE, contiguous row by row.
class Tensor {
 public:
  struct Shard {
    std::int32_t pe;
    Block block;
    device::Address address;
  };
  /// @param policy  row_wise divides the first dimension, column_wise the last.
  /// Allocates; the bytes are not written yet. @throws ModelError  no room; ConfigError  see place().
  Tensor(device::Machine& machine, std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& policy,
         device::BufferKind kind);

  const std::vector<std::int64_t>& shape() const { return shape_; }
  memory::DType dtype() const { return dtype_; }
  const std::vector<Shard>& shards() const { return shards_; }
  /// The shard on a PE. @throws ModelError  none is there.
  const Shard& on(std::int32_t pe) const;
  std::int64_t elements(std::int32_t pe) const { return on(pe).block.rows * on(pe).block.columns; }

  void write(std::int32_t pe, std::span<const std::byte> bytes);
  std::vector<std::byte> read(std::int32_t pe) const;
  /// The whole tensor of a SIP, row by row, gathered from its shards.
  /// @throws ModelError  replicas that differ: names the PEs and the element.
  std::vector<std::byte> data(unsigned sip = 0) const;
  /// Spreads a whole tensor over the shards of every SIP.
  void fill(std::span<const std::byte> whole);

 private:
  template <class F>
  void each_row(const Shard& shard, F f) const;
  device::Machine* machine_;
  std::vector<std::int64_t> shape_;
  memory::DType dtype_;
  std::int64_t rows_ = 0, columns_ = 1;
  std::vector<Shard> shards_;
  std::vector<std::int32_t> shard_of_;  ///< by PE; -1: none
};

}  // namespace tutti::host
