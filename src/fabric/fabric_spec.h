#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace tutti::fabric {

/// A virtual channel of every link.
struct ChannelSpec {
  std::string name;
  int weight = 1;         ///< chunks a turn in the round robin, 1 to 1024
  bool priority = false;  ///< goes before all channels without priority, at the next chunk boundary
  Bandwidth own;          ///< if not zero: wires of its own at this rate on every link, no sharing with other channels
};

/// How links share their bandwidth. All links are alike.
struct FabricSpec {
  std::vector<ChannelSpec> channels = {{"compute", 1, false, {}}, {"comm", 1, false, {}}};  ///< 1 to 4
  std::uint64_t chunk_bytes = 256;  ///< a channel yields the link after each chunk; 1 or more
  bool strict_partition = false;    ///< each channel has weight / sum of weights of the rate, even if others are idle
  std::string routing = "auto";     ///< a name of route_policies(), or auto
  std::uint64_t seed = 0;           ///< of routing
  bool naive = false;               ///< an event for each chunk: the oracle of the fast path, same times
};

}  // namespace tutti::fabric
