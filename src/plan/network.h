#pragma once
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "plan/protocol.h"
#include "plan/schedule.h"

namespace tutti::plan {

/// Ranks and the links between them, for what is decided before any machine is simulated: a message occupies a link
/// for latency + bytes / bandwidth, one at a time.
struct Network {
  struct Link {
    int from = 0, to = 0;
    Time latency = Time::ns(500);
    Bandwidth bandwidth = Bandwidth::gb_per_s(50);
    Time cost(Bytes n) const { return latency + serialization_time(n, bandwidth); }
  };
  int ranks = 1;
  std::vector<Link> links;  ///< one direction each

  void join(int a, int b, const Link& like) {
    links.push_back({a, b, like.latency, like.bandwidth});
    links.push_back({b, a, like.latency, like.bandwidth});
  }
  bool connected() const;
};

Network ring_network(int ranks, const Network::Link& like = {});
/// Row by row; `wraps`: a torus (a side of two has one link, not two).
Network mesh_network(int rows, int columns, bool wraps, const Network::Link& like = {});
/// Every two ranks have a link of their own.
Network complete_network(int ranks, const Network::Link& like = {});
/// A random tree and `more` links between random ranks, a quarter of all links at half the bandwidth. Seeded.
Network irregular_network(int ranks, int more, std::uint64_t seed, const Network::Link& like = {});

/// When the last rank of `schedule` ends, if messages go hop by hop on shortest paths (fewest links, then lowest
/// numbers), each stored before it goes on, in order of time, as the bytes of `protocol`; ranks take no time. For
/// comparing schedules.
/// @pre the network is connected and the schedule is proven.
/// @throws ConfigError  a schedule that waits for ever.
Time estimate(const Schedule& schedule, const Network& network, Bytes element, Protocol protocol = Protocol::simple);

}  // namespace tutti::plan
