#include "workload/program_order.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "workload/resolver.h"

namespace tutti::workload {

ProgramOrder::ProgramOrder(const Trace& trace, bool tags) : numbers_(trace.nodes.size()) {
  const auto n = static_cast<std::uint32_t>(trace.nodes.size());
  // Round of a node: the latest round of its parents, one later if a parent has a larger id and so comes after it.
  std::vector<std::uint32_t> round(n), order;
  order.reserve(n);
  Resolver resolver(trace);
  std::vector<std::uint32_t> ready = resolver.roots();
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::uint32_t node = ready[i];
    for (const std::uint32_t p : trace.parents(trace.nodes[node]))
      round[node] = std::max(round[node], round[p] + (trace.nodes[p].id > trace.nodes[node].id ? 1U : 0U));
    order.push_back(node);
    resolver.finish(node, ready);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(round[a], trace.nodes[a].id) < std::tuple(round[b], trace.nodes[b].id);
  });
  std::map<std::tuple<bool, std::int32_t, std::int64_t>, std::uint32_t> next;
  for (const std::uint32_t node : order) {
    const Node& x = trace.nodes[node];
    const std::int64_t tag = tags ? x.comm_tag : 0;
    if (x.type == NodeType::comm_send) numbers_[node] = next[{true, x.comm_dst, tag}]++;
    if (x.type == NodeType::comm_recv) numbers_[node] = next[{false, x.comm_src, tag}]++;
  }
}

}  // namespace tutti::workload
