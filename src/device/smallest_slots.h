#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace tutti::device {

/// The fewest slots a ring with which `completes`, more than `from`, with which it does not; none up to `most`. Looks
/// by doubling, then by halving: what completes with n slots completes with more.
inline std::optional<std::uint32_t> smallest_n_slots(std::uint32_t from, std::uint32_t most,
                                                     const std::function<bool(std::uint32_t)>& completes) {
  std::uint32_t low = from, high = from;
  do {
    if (high == most) return {};
    low = high;
    high = high > most / 2 ? most : high * 2;
  } while (!completes(high));
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (completes(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace tutti::device
