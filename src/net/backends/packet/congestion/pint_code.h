#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tutti::net::packet {

/// PINT's one or two bytes: the logarithm of a utilization, in steps of `base`, rounded up. 0 stands for nothing at
/// all, 1 for 2^-16. What is decoded is at least the utilization, and less than `base` times it.
inline std::uint16_t pint_encode(double utilization, double base) {
  if (!(utilization > 0)) return 0;
  const double steps = std::ceil((std::log2(utilization) + 16) / std::log2(base));
  return static_cast<std::uint16_t>(std::clamp(steps, 0.0, 65534.0) + 1);
}

inline double pint_decode(std::uint16_t code, double base) {
  return code == 0 ? 0 : std::exp2((code - 1) * std::log2(base) - 16);
}

/// Bytes that the code needs for utilizations up to 1.
inline unsigned pint_bytes(double base) { return 16 / std::log2(base) + 2 <= 256 ? 1 : 2; }

}  // namespace tutti::net::packet
