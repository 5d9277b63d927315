#include "net/backends/packet/topology.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::net::packet {

void check_topology(const Topology& t) {
  if (t.is_switch.size() != static_cast<std::size_t>(t.nodes))
    throw ConfigError(fmt::format("topology: {} nodes, but {} kinds", t.nodes, t.is_switch.size()));
  for (const Cable& c : t.cables) {
    if (c.a < 0 || c.b < 0 || c.a >= t.nodes || c.b >= t.nodes)
      throw ConfigError(fmt::format("link {} - {}: unknown node; there are {}", c.a, c.b, t.nodes));
    if (c.a == c.b) throw ConfigError(fmt::format("link {} - {}: a node cannot be its own neighbour", c.a, c.b));
    if (c.rate == 0) throw ConfigError(fmt::format("link {} - {}: a rate of 0", c.a, c.b));
    if (c.delay_ns < 0) throw ConfigError(fmt::format("link {} - {}: a negative delay", c.a, c.b));
  }
}

}  // namespace tutti::net::packet
