#include <vector>

#include "base/error.h"
#include "fabric/layout.h"
#include "fabric/route_policy.h"
#include "fabric/shortest_paths.h"
#include "fabric/topologies/steps.h"

namespace tutti::fabric::routes {
namespace {

/// Builds one route as a walk over nodes.
class Walk {
 public:
  Walk(const Graph& graph, NodeId from, NodeId to)
      : graph_(graph), layout_(*graph.layout()), from_(from), to_(to), at_(from) {}

  Route run() {
    std::vector<NodeId> down;
    for (NodeId n = to_; place(n).up != n; n = place(n).up) down.push_back(n);
    const NodeId anchor = down.empty() ? to_ : place(down.back()).up;
    while (place(at_).up != at_) {
      for (std::size_t i = 0; i < down.size(); ++i)
        if (down[i] == at_) return descend(down, i);  // the ends share a part of the way up
      go(place(at_).up);
    }
    between(anchor);
    return descend(down, down.size());
  }

 private:
  const Layout::Place& place(NodeId n) const { return layout_.places[n]; }

  void go(NodeId next) {
    const LinkId l = next == no_id ? no_id : graph_.link(at_, next);
    if (l == no_id) no_route(graph_, from_, to_);
    route_.push_back(l);
    at_ = next;
  }

  Route descend(const std::vector<NodeId>& down, std::size_t from) {
    for (std::size_t i = from; i-- > 0;) go(down[i]);
    return route_;
  }

  /// From one anchor (router, io_noc, or a node outside of the SIPs) to another.
  void between(NodeId anchor) {
    const Layout::Place to = place(anchor);
    if (at_ == anchor) return;
    if (place(at_).sip < 0) enter(to.sip, anchor);
    if (at_ == anchor) return;
    const int sip = place(at_).sip;
    if (to.sip == sip && to.cube >= 0) {
      if (place(at_).io >= 0) leave_io();
      return cross_cubes(to.cube, to.router);
    }
    int chiplet = to.io;
    if (to.sip >= 0 && to.sip != sip && to.cube >= 0) chiplet = (sip + to.sip) % layout_.chiplets;
    if (chiplet < 0) chiplet = 0;
    if (place(at_).io != chiplet) {
      if (place(at_).io >= 0) leave_io();
      const Layout::Io& io = layout_.io(sip, chiplet);
      cross_cubes(io.cube, layout_.cube(sip, io.cube).port_router[static_cast<std::size_t>(io.side)]);
      go(layout_.cube(sip, io.cube).ports[static_cast<std::size_t>(io.side)]);
      go(io.port);
      go(io.noc);
    }
    if (at_ == anchor) return;
    go(layout_.io(sip, chiplet).endpoint);
    if (to.sip < 0) return outside(anchor);
    for (int s = sip; s != to.sip;) {
      const int next = layout_.next_sip[static_cast<std::size_t>(s * layout_.sips + to.sip)];
      go(layout_.switch_between(chiplet, s, next));
      go(layout_.io(next, chiplet).endpoint);
      s = next;
    }
    go(layout_.io(to.sip, chiplet).noc);
    between(anchor);
  }

  /// From the host, a switch or an endpoint into a SIP, or to another of them.
  void enter(int sip, NodeId anchor) {
    if (sip < 0) return outside(anchor);
    const Layout::Io& io = layout_.io(sip, place(at_).io >= 0 ? place(at_).io : 0);
    outside(io.endpoint);
    go(io.noc);
  }

  /// Among nodes outside of the meshes: fewest latency.
  void outside(NodeId target) {
    for (const LinkId l : shortest_route(graph_, at_, target)) go(graph_.links()[l].destination);
  }

  void leave_io() {
    const Layout::Place p = place(at_);
    const Layout::Io& io = layout_.io(p.sip, p.io);
    const Layout::Cube& cube = layout_.cube(p.sip, io.cube);
    const auto side = static_cast<std::size_t>(io.side);
    go(io.port);
    go(cube.ports[side]);
    go(cube.routers[static_cast<std::size_t>(cube.port_router[side])]);
  }

  void cross_cubes(int cube, int router) {
    const int sip = place(at_).sip;
    for (int c = place(at_).cube; c != cube;) {
      const int next = grid_step(c, cube, layout_.cube_rows, layout_.cube_columns, layout_.wrap);
      const Side side = towards(c, next);
      const Layout::Cube& here = layout_.cube(sip, c);
      const Layout::Cube& there = layout_.cube(sip, next);
      const auto out = static_cast<std::size_t>(side), in = static_cast<std::size_t>(opposite(side));
      cross_routers(here, here.port_router[out]);
      go(here.ports[out]);
      go(there.ports[in]);
      go(there.routers[static_cast<std::size_t>(there.port_router[in])]);
      c = next;
    }
    cross_routers(layout_.cube(sip, cube), router);
  }

  /// Side of cube `from` at which its neighbour `to` lies.
  Side towards(int from, int to) const {
    const int columns = layout_.cube_columns;
    const bool row = from / columns == to / columns;
    const int step = row ? to - from : to / columns - from / columns;
    const bool up = step == 1 || step < -1;  // a step back of more than one is a wrap
    return row ? (up ? Side::east : Side::west) : (up ? Side::south : Side::north);
  }

  void cross_routers(const Layout::Cube& cube, int router) {
    for (int r = place(at_).router; r != router;) {
      r = grid_step(r, router, layout_.rows, layout_.columns, false);
      go(cube.routers[static_cast<std::size_t>(r)]);
    }
  }

  const Graph& graph_;
  const Layout& layout_;
  NodeId from_, to_, at_;
  Route route_;
};

class DimensionOrder final : public RoutePolicy {
 public:
  explicit DimensionOrder(const Graph& graph) : graph_(graph) {
    if (!graph.layout()) throw ConfigError("routing: dimension_order needs a machine's layout; use table or ecmp");
  }
  Route route(NodeId from, NodeId to) override { return Walk(graph_, from, to).run(); }

 private:
  const Graph& graph_;
};

}  // namespace

RoutePolicyKind dimension_order() {
  return {"dimension_order", "columns first, then rows: among routers, cubes and SIPs",
          [](const Graph& g, std::uint64_t) -> std::unique_ptr<RoutePolicy> {
            return std::make_unique<DimensionOrder>(g);
          }};
}

}  // namespace tutti::fabric::routes
