#include "net/backends/packet/transmission.h"

namespace tutti::net::packet {
namespace {
__extension__ using Wide = unsigned __int128;
}

std::int64_t transmission_ns(std::uint64_t bytes, std::uint64_t rate) {
  const Wide seconds = (static_cast<Wide>(bytes * 8) << 64) / rate;
  return static_cast<std::int64_t>((seconds * 1'000'000'000u + (Wide{1} << 63)) >> 64);
}

std::int64_t transmission_ps(std::uint64_t bytes, std::uint64_t rate, bool whole_ns) {
  if (whole_ns) return transmission_ns(bytes, rate) * 1000;
  const Wide bit_ps = static_cast<Wide>(bytes) * 8'000'000'000'000u;
  return static_cast<std::int64_t>((bit_ps + rate - 1) / rate);
}

}  // namespace tutti::net::packet
