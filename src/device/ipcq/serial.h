#pragma once
#include <cstdint>

namespace tutti::device {

/// The 64-bit number nearest at or after `cache` whose low 32 bits are `wire`: serial arithmetic in the manner of RFC
/// 1982, so that wire numbers may wrap. The caller checks that the step is at most n_slots.
constexpr std::uint64_t unwrap_serial(std::uint64_t cache, std::uint32_t wire) {
  return cache + static_cast<std::uint32_t>(wire - static_cast<std::uint32_t>(cache));
}
static_assert(unwrap_serial(0xFFFF'FFFFu, 0) == 0x1'0000'0000u);
static_assert(unwrap_serial(5, 5) == 5);

}  // namespace tutti::device
