#include "fabric/max_flow.h"

#include <algorithm>

namespace tutti::fabric {

// Dinic's algorithm, with several sources and sinks.
MaxFlow::MaxFlow(const Graph& graph)
    : begin_(graph.nodes().size() + 1), level_(graph.nodes().size()), sink_(graph.nodes().size()) {
  for (const Link& l : graph.links()) {
    ++begin_[l.source + 1];
    ++begin_[l.destination + 1];
  }
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  arcs_.resize(begin_.back());
  std::vector<std::uint32_t> place(begin_.begin(), begin_.end() - 1);
  for (const Link& l : graph.links()) {
    const std::uint32_t a = place[l.source]++, b = place[l.destination]++;
    arcs_[a] = {l.destination, b, l.bandwidth.bits_per_second(), l.bandwidth.bits_per_second()};
    arcs_[b] = {l.source, a, 0, 0};
  }
}

bool MaxFlow::levels(const std::vector<NodeId>& from) {
  std::fill(level_.begin(), level_.end(), -1);
  queue_ = from;
  for (const NodeId n : from) level_[n] = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    if (sink_[n]) return true;
    for (std::uint32_t a = begin_[n]; a < begin_[n + 1]; ++a)
      if (arcs_[a].left > 0 && level_[arcs_[a].to] < 0) {
        level_[arcs_[a].to] = level_[n] + 1;
        queue_.push_back(arcs_[a].to);
      }
  }
  return false;
}

std::int64_t MaxFlow::augment(NodeId at, std::int64_t limit) {
  if (sink_[at]) return limit;
  std::int64_t sent = 0;
  for (std::uint32_t& a = next_[at]; a < begin_[at + 1]; ++a) {
    Arc& arc = arcs_[a];
    if (arc.left <= 0 || level_[arc.to] != level_[at] + 1) continue;
    const std::int64_t flow = augment(arc.to, std::min(limit - sent, arc.left));
    if (flow == 0) continue;
    arc.left -= flow;
    arcs_[arc.back].left += flow;
    touched_.push_back(a);
    sent += flow;
    if (sent == limit) break;  // the arc may carry more later
  }
  return sent;
}

Bandwidth MaxFlow::between(const std::vector<NodeId>& from, const std::vector<NodeId>& to) {
  for (const NodeId n : to) sink_[n] = true;
  std::int64_t flow = 0;
  while (levels(from)) {
    next_.assign(begin_.begin(), begin_.end() - 1);
    for (const NodeId n : from) flow += augment(n, INT64_MAX - flow);
  }
  for (const std::uint32_t a : touched_) {
    arcs_[a].left = arcs_[a].capacity;
    Arc& back = arcs_[arcs_[a].back];
    back.left = back.capacity;
  }
  touched_.clear();
  for (const NodeId n : to) sink_[n] = false;
  return Bandwidth::bits_per_second(flow);
}

}  // namespace tutti::fabric
