#include "host/tensor.h"

#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::host {

Tensor::Tensor(device::Machine& machine, std::vector<std::int64_t> shape, memory::DType dtype, const DPPolicy& given,
               device::BufferKind kind)
    : machine_(&machine), shape_(std::move(shape)), dtype_(dtype) {
  if (shape_.empty() || shape_.size() > 2 || shape_[0] < 0 || shape_.back() < 0)
    throw ConfigError(fmt::format("a tensor has one or two dimensions from 0, not ({})", fmt::join(shape_, ", ")));
  rows_ = shape_[0], columns_ = shape_.size() == 2 ? shape_[1] : 1;
  DPPolicy policy = given;
  if (shape_.size() == 1)  // its only dimension is the first and the last
    for (Split* s : {&policy.cube, &policy.pe})
      if (s->kind == Split::Kind::column_wise) s->kind = Split::Kind::row_wise;
  const int cubes = machine.num_programs(1), pes = machine.num_programs(0);
  const auto blocks = place({0, 0, rows_, columns_}, policy, cubes, pes);
  shard_of_.assign(static_cast<std::size_t>(machine.size()), -1);
  for (std::int32_t i = 0; i < machine.size(); ++i) {
    const auto& block = blocks[static_cast<std::size_t>(i) % blocks.size()];
    if (!block) continue;
    const auto bytes = static_cast<std::uint64_t>(block->rows * block->columns * memory::size_of(dtype));
    shard_of_[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(shards_.size());
    shards_.push_back({i, *block, machine.allocate(kind, i, bytes)});
  }
}

const Tensor::Shard& Tensor::on(std::int32_t pe) const {
  const std::int32_t i = shard_of_[static_cast<std::size_t>(pe)];
  if (i < 0) throw ModelError(fmt::format("the tensor has no shard on PE {}", machine_->pe(pe).name()));
  return shards_[static_cast<std::size_t>(i)];
}

void Tensor::write(std::int32_t pe, std::span<const std::byte> bytes) {
  CHECK(bytes.size() == static_cast<std::size_t>(elements(pe) * memory::size_of(dtype_)), "bytes of another shard");
  machine_->memory().write(on(pe).address, bytes);
}
std::vector<std::byte> Tensor::read(std::int32_t pe) const {
  std::vector<std::byte> bytes(static_cast<std::size_t>(elements(pe) * memory::size_of(dtype_)));
  machine_->memory().read(on(pe).address, bytes);
  return bytes;
}

template <class F>
void Tensor::each_row(const Shard& shard, F f) const {
  const auto width = memory::size_of(dtype_);
  if (shard.block.rows * shard.block.columns == 0) return;  // an empty vector has no address to copy from
  if (shard.block.columns == columns_)                      // whole rows lie together in both
    return f(0, static_cast<std::size_t>(shard.block.row * columns_ * width),
             static_cast<std::size_t>(shard.block.rows * columns_ * width));
  for (std::int64_t r = 0; r < shard.block.rows; ++r)
    f(static_cast<std::size_t>(r * shard.block.columns * width),
      static_cast<std::size_t>(((shard.block.row + r) * columns_ + shard.block.column) * width),
      static_cast<std::size_t>(shard.block.columns * width));
}

std::vector<std::byte> Tensor::data(unsigned sip) const {
  const auto width = static_cast<std::size_t>(memory::size_of(dtype_));
  std::vector<std::byte> whole(static_cast<std::size_t>(rows_ * columns_) * width);
  std::vector<std::int32_t> source(static_cast<std::size_t>(rows_ * columns_), -1);
  for (const Shard& s : shards_) {
    if (machine_->ids()[static_cast<std::size_t>(s.pe)].sip != sip) continue;
    const auto bytes = read(s.pe);
    each_row(s, [&](std::size_t in_shard, std::size_t in_whole, std::size_t n) {
      for (std::size_t i = 0; i < n; i += width) {
        std::int32_t& from = source[(in_whole + i) / width];
        if (from < 0) {
          from = s.pe;
          std::memcpy(whole.data() + in_whole + i, bytes.data() + in_shard + i, width);
        } else if (std::memcmp(whole.data() + in_whole + i, bytes.data() + in_shard + i, width) != 0) {
          throw ModelError(fmt::format("replicas differ: element {} on {} and on {}", (in_whole + i) / width,
                                       machine_->pe(from).name(), machine_->pe(s.pe).name()),
                           ExitCode::mismatch);
        }
      }
    });
  }
  return whole;
}

void Tensor::fill(std::span<const std::byte> whole) {
  CHECK(whole.size() == static_cast<std::size_t>(rows_ * columns_ * memory::size_of(dtype_)),
        "bytes of another tensor");
  for (const Shard& s : shards_) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(elements(s.pe) * memory::size_of(dtype_)));
    each_row(s, [&](std::size_t in_shard, std::size_t in_whole, std::size_t n) {
      if (n > 0) std::memcpy(bytes.data() + in_shard, whole.data() + in_whole, n);
    });
    machine_->memory().write(s.address, bytes);
  }
}

}  // namespace tutti::host
