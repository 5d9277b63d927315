#pragma once
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "net/network_file.h"

namespace tutti::net {

/// Logical coordinates: rank = sum of coordinate(k) * stride(k), dimension 0 fastest.
class Grid {
 public:
  explicit Grid(const std::vector<Dimension>& dimensions) {
    std::uint32_t stride = 1;
    for (const Dimension& d : dimensions) {
      axes_.push_back({d.size, stride});
      stride *= d.size;
    }
    ranks_ = stride;
    // Divisions cost more than all else that a message needs: look coordinates up.
    if (ranks_ > most_tabled || axes_.size() == 1) return;
    table_.reserve(std::size_t{ranks_} * axes_.size());
    for (std::uint32_t r = 0; r < ranks_; ++r)
      for (const Axis& a : axes_) table_.push_back(r / a.stride % a.size);
  }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t size(std::uint32_t k) const { return axes_[k].size; }
  std::uint32_t coordinate(std::uint32_t rank, std::uint32_t k) const {
    if (axes_.size() == 1) return rank;
    return table_.empty() ? rank / axes_[k].stride % axes_[k].size : table_[std::size_t{rank} * axes_.size() + k];
  }
  /// `rank` with coordinate k replaced.
  std::uint32_t moved(std::uint32_t rank, std::uint32_t k, std::uint32_t to) const {
    return rank + (to - coordinate(rank, k)) * axes_[k].stride;
  }
  /// Lowest dimension in which the ranks differ; the number of dimensions if they are equal.
  std::uint32_t first_difference(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t k = 0;
    while (k < axes_.size() && coordinate(a, k) == coordinate(b, k)) ++k;
    return k;
  }
  /// Steps from `from` to `to` in the cheaper direction of a ring; `clockwise` tells which (ties are clockwise).
  std::uint32_t ring_steps(std::uint32_t k, std::uint32_t from, std::uint32_t to, bool& clockwise) const {
    const std::uint32_t n = axes_[k].size, up = to >= from ? to - from : to + n - from, down = n - up;
    clockwise = up <= down;
    return clockwise ? up : down;
  }

 private:
  struct Axis {
    std::uint32_t size, stride;
  };
  static constexpr std::uint32_t most_tabled = 1U << 20;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> table_;  // coordinates, rank by rank
  std::uint32_t ranks_ = 1;
};

/// Nanoseconds truncated to a whole number, as a Time. @throws ModelError  beyond what Time holds (53 days).
inline Time whole_ns(double ns) {
  if (!(ns < 4.6e15)) throw ModelError("a message takes longer than 53 days: more than simulated time holds");
  return Time::ns(static_cast<std::int64_t>(ns));
}

/// Bytes as the units of Time and Bandwidth hold them. @throws ModelError  above 2^63.
inline Bytes signed_bytes(std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(INT64_MAX)) throw ModelError("a message of more than 2^63 bytes");
  return Bytes(static_cast<std::int64_t>(bytes));
}

/// serialization_time that refuses what Time cannot hold.
inline Time checked_serialization(std::uint64_t bytes, Bandwidth rate) {
  const Time t = serialization_time(signed_bytes(bytes), rate);
  if (t > Time::s(4'600'000)) throw ModelError("a message takes longer than 53 days: more than simulated time holds");
  return t;
}

}  // namespace tutti::net
