#pragma once
#include <cstdint>

namespace tutti::net::packet {

/// Transmission time in ns as the reference has it: the bits are divided by the rate in 64.64 fixed point (truncated),
/// then rounded to the nearest ns; an exact half that the fixed point cannot hold goes down. @pre rate > 0
std::int64_t transmission_ns(std::uint64_t bytes, std::uint64_t rate);

/// In ps: the above in whole ns, or else exact and rounded up. @pre rate > 0
std::int64_t transmission_ps(std::uint64_t bytes, std::uint64_t rate, bool whole_ns);

/// The last two results: packets come in few sizes, and a division is dear.
class TransmissionCache {
 public:
  std::int64_t ps(std::uint32_t bytes, std::uint64_t rate, bool whole_ns) {
    if (rate != rate_) rate_ = rate, size_[0] = size_[1] = 0;
    if (size_[0] == bytes) return time_[0];
    if (size_[1] == bytes) return time_[1];
    const int k = turn_ ^= 1;
    size_[k] = bytes;
    return time_[k] = transmission_ps(bytes, rate, whole_ns);
  }

 private:
  std::uint64_t rate_ = 0;
  std::uint32_t size_[2] = {0, 0};
  int turn_ = 0;
  std::int64_t time_[2] = {0, 0};
};

}  // namespace tutti::net::packet
