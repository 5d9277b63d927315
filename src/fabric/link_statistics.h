#pragma once
#include <array>
#include <cstdint>

#include "base/units.h"

namespace tutti::fabric {

inline constexpr std::size_t max_channels = 4;

/// What a directed link did up to now.
struct LinkStatistics {
  struct Channel {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    Time waited;   ///< sum over packets: from the head's arrival at the link until its first byte went out
    Time longest;  ///< longest such wait
  };
  std::uint64_t bytes = 0;
  Time busy;  ///< utilization = busy / duration
  std::array<Channel, max_channels> channels{};
};

}  // namespace tutti::fabric
