#pragma once
#include <cstdint>
#include <numeric>

#include "base/units.h"

namespace tutti::fabric {

/// A bandwidth as a reduced fraction: picoseconds a byte = numerator / denominator.
class Rate {
 public:
  explicit constexpr Rate(Bandwidth b) {
    const auto bits = static_cast<std::uint64_t>(b.bits_per_second());
    const std::uint64_t common = std::gcd(std::uint64_t{8'000'000'000'000}, bits);
    numerator_ = 8'000'000'000'000 / common;
    denominator_ = bits / common;
    small_ = UINT64_MAX / 2 / (numerator_ > denominator_ ? numerator_ : denominator_);
  }
  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }

  /// bytes x ps a byte, rounded up; saturates.
  Time time(std::uint64_t bytes) const {
    if (bytes < small_) [[likely]]
      return Time::ps(static_cast<std::int64_t>((bytes * numerator_ + denominator_ - 1) / denominator_));
    const Wide ps = (Wide{bytes} * numerator_ + denominator_ - 1) / denominator_;
    return ps > INT64_MAX ? Time::max() : Time::ps(static_cast<std::int64_t>(ps));
  }
  /// Most bytes whose time() is at most t. @pre t >= 0.
  std::uint64_t bytes_within(Time t) const {
    const auto ps = static_cast<std::uint64_t>(t.ps());
    if (ps < small_) [[likely]]
      return ps * denominator_ / numerator_;
    const Wide bytes = Wide{ps} * denominator_ / numerator_;
    return bytes > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(bytes);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t numerator_, denominator_, small_;
};

}  // namespace tutti::fabric
