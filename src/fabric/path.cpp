#include "fabric/path.h"

namespace tutti::fabric {

Path make_path(const Graph& graph, NodeId source, const Route& route) {
  Path path;
  path.source_overhead = graph.nodes()[source].overhead;
  path.head = head_latency(graph, source, route);
  if (!route.empty()) path.bottleneck = bottleneck(graph, route);
  path.hops.reserve(route.size());
  Time rest = path.head - path.source_overhead;
  for (const LinkId l : route) {
    const Link& link = graph.links()[l];
    const Time step = link.latency + graph.nodes()[link.destination].overhead;
    path.hops.push_back({l, step, rest});
    rest -= step;
  }
  if (!path.hops.empty()) path.hops.back().to_next = Time();
  return path;
}

Time path_latency(const Path& path, std::uint64_t bytes) {
  if (path.hops.empty()) return path.head;
  return path.head + serialization_time(Bytes(static_cast<std::int64_t>(bytes)), path.bottleneck);
}

}  // namespace tutti::fabric
