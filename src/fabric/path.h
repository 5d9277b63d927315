#pragma once
#include <vector>

#include "fabric/graph.h"

namespace tutti::fabric {

/// A route with the latencies that a packet meets on it.
struct Path {
  struct Hop {
    LinkId link;
    Time to_next;  ///< from the head on this link until it asks for the next one: wire and node (0 at the last hop)
    Time to_end;   ///< from a byte on this link until it is past the destination's overhead
  };
  std::vector<Hop> hops;  ///< empty if source and destination are one node
  Time source_overhead;
  Time head;             ///< all overheads and wires
  Bandwidth bottleneck;  ///< zero if there are no hops
};

Path make_path(const Graph& graph, NodeId source, const Route& route);
/// head + bytes / bottleneck, the last term rounded up once.
Time path_latency(const Path& path, std::uint64_t bytes);

}  // namespace tutti::fabric
