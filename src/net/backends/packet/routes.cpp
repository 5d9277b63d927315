#include "net/backends/packet/routes.h"

#include <algorithm>
#include <map>

namespace tutti::net::packet {
namespace {
std::size_t index(int i) { return static_cast<std::size_t>(i); }
}  // namespace

Routes::Routes(const Topology& topology, bool one_cable)
    : topology_(topology), one_cable_(one_cable), ports_(index(topology.nodes)), up_(topology.cables.size(), true) {
  for (std::size_t k = 0; k < topology.cables.size(); ++k) {
    const Cable& c = topology.cables[k];
    auto &at_a = ports_[index(c.a)], &at_b = ports_[index(c.b)];
    const int a = static_cast<int>(at_a.size()), b = static_cast<int>(at_b.size());
    at_a.push_back({c.b, static_cast<int>(k), b});
    at_b.push_back({c.a, static_cast<int>(k), a});
  }
  arrange();
}

void Routes::arrange() {
  visit_.assign(ports_.size(), {});
  for (std::size_t n = 0; n < ports_.size(); ++n) {
    std::map<int, std::vector<int>, std::greater<>> of;
    for (std::size_t p = 0; p < ports_[n].size(); ++p)
      if (up(ports_[n][p].cable)) of[ports_[n][p].node].push_back(static_cast<int>(p));
    for (const auto& [neighbour, ports] : of) {
      if (one_cable_)
        visit_[n].push_back(ports.back());
      else
        visit_[n].insert(visit_[n].end(), ports.begin(), ports.end());
    }
    if (!one_cable_) std::ranges::sort(visit_[n]);
  }
}

int Routes::attachment(int node) const {
  if (topology_.is_switch[index(node)] || visit_[index(node)].size() != 1) return -1;
  const int other = neighbour(node, visit_[index(node)].front());
  return topology_.is_switch[index(other)] ? other : -1;
}

Routes::Table Routes::make(int root) const {
  const std::size_t n = ports_.size();
  Table t;
  t.distance.assign(n, -1);
  t.distance[index(root)] = 0;
  std::vector<std::vector<int>> hops(n);
  std::vector<int> order{root};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int here = order[i];
    if (here != root && !topology_.is_switch[index(here)]) continue;
    for (int port : visit_[index(here)]) {
      const int next = neighbour(here, port);
      int& d = t.distance[index(next)];
      if (d < 0) {
        d = t.distance[index(here)] + 1;
        order.push_back(next);
      }
      if (d == t.distance[index(here)] + 1) hops[index(next)].push_back(at(here, port).port);
    }
  }
  t.first.reserve(n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    t.first.push_back(static_cast<std::uint32_t>(t.ports.size()));
    t.ports.insert(t.ports.end(), hops[k].begin(), hops[k].end());
  }
  t.first.push_back(static_cast<std::uint32_t>(t.ports.size()));
  return t;
}

const Routes::Table& Routes::table(int root) {
  const auto found = tables_.find(root);
  return found != tables_.end() ? found->second : tables_.emplace(root, make(root)).first->second;
}

Routes::NextHops Routes::next_hops(int node, int destination) {
  const int leaf = attachment(destination);
  if (leaf == node) {  // the port that the destination hangs on
    only_ = at(destination, visit_[index(destination)].front()).port;
    return {&only_, 1};
  }
  const Table& t = table(leaf >= 0 ? leaf : destination);
  const std::uint32_t first = t.first[index(node)];
  return {t.ports.data() + first, t.first[index(node) + 1] - first};
}

int Routes::distance(int node, int destination) {
  if (node == destination) return 0;
  const int leaf = attachment(destination);
  const int d = table(leaf >= 0 ? leaf : destination).distance[index(node)];
  return d < 0 || leaf < 0 ? d : d + 1;
}

void Routes::set_up(int cable, bool up) {
  up_[index(cable)] = up;
  tables_.clear();
  arrange();
}

}  // namespace tutti::net::packet
