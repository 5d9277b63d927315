#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tutti::net {

enum class Shape : std::uint8_t { ring, fully_connected, switched };
std::string_view to_string(Shape shape);

/// One dimension of an analytical network.
struct Dimension {
  Shape shape = Shape::ring;
  std::uint32_t size = 0;   ///< ranks, >= 2
  double bytes_per_ns = 0;  ///< of each link, > 0
  double latency_ns = 0;    ///< of each hop, >= 0
  Bandwidth rate;           ///< bytes_per_ns, to the nearest bit a second
  Time latency;             ///< latency_ns, to the nearest picosecond
};

/// ASTRA-sim's analytical network.yml: four lists of equal length, a dimension an entry: `topology` (Ring,
/// FullyConnected, Switch), `npus_count`, `bandwidth`, `latency`. A bare bandwidth is in GB/s of 2^30 bytes a second
/// and a bare latency in ns, as that format defines them; text with a unit ("400Gbps", "1.5 us") is taken as it says.
struct NetworkFile {
  std::string path;
  std::vector<Dimension> dimensions;
  std::uint32_t ranks() const;
};

/// @throws ConfigError  lists every fault with file:line:column.
NetworkFile read_network_file(const std::string& path);
/// The same from text; `path` is for messages.
NetworkFile parse_network_file(const std::string& text, const std::string& path);

}  // namespace tutti::net
