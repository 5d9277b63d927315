#include "fabric/limits.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/layout.h"
#include "fabric/max_flow.h"
#include "fabric/topology.h"

namespace tutti::fabric {
namespace {

std::vector<NodeId> all_pes(const Graph& g) {
  std::vector<NodeId> pes;
  for (const Layout::Cube& cube : g.layout()->cubes) pes.insert(pes.end(), cube.pes.begin(), cube.pes.end());
  return pes;
}

const plan::Cut& cut(const plan::GraphLimits& l, const std::string& name) {
  for (const plan::Cut& c : l.cuts)
    if (c.name == name) return c;
  throw InternalError("no cut " + name);
}

TEST(Limits, a_sip_of_sixteen_cubes_has_the_figures_that_one_counts_on_its_plan) {
  const Graph g = build(profile("small"));
  const plan::GraphLimits l = graph_limits(g, all_pes(g));
  EXPECT_EQ(l.ranks, 128);
  EXPECT_EQ(l.cheapest, Time::ps(2 * 4'000 + 2 * 2'000 + 300));
  EXPECT_EQ(l.fewest_links, 3);
  // pe0 of cube 0 to pe7 of cube 15: 6 crossings of two ports and 3 mm, 5 cubes between with 4 hops each, and 5 hops
  // at either end
  EXPECT_EQ(l.farthest, Time::ps(8'000 + 6 * 16'300 + 5 * (5 * 2'000 + 4 * 300) + 2 * (6 * 2'000 + 5 * 300)));
  EXPECT_EQ(l.out[5], Bandwidth::gb_per_s(128));
  EXPECT_EQ(cut(l, "sip0.cube0").out, Bandwidth::gb_per_s(2 * 128));
  EXPECT_EQ(cut(l, "sip0.cube1").in, Bandwidth::gb_per_s(3 * 128));
  EXPECT_EQ(cut(l, "sip0.cube5").out, Bandwidth::gb_per_s(4 * 128));
  EXPECT_EQ(cut(l, "sip0 rows below 2").out, Bandwidth::gb_per_s(4 * 128));
  EXPECT_EQ(cut(l, "sip0 columns below 1").inside.size(), 32U);
  // 4 x 4 cubes of 24 router links one way and 8 PEs, 24 joints of two ports to routers, all both ways, and the way to
  // the IO chiplet: what leads to leaves counts for nothing.
  const std::int64_t mesh = 16 * 24, pes = 128, ports = 48, joints = 24;
  EXPECT_GE(l.all_links, Bandwidth::gb_per_s(2 * 128 * (mesh + pes + ports + joints)));
}

TEST(Limits, what_leaves_a_sip_is_bound_by_its_endpoint) {
  Topology t = profile("tiny");
  t.sips = 4;
  const Graph g = build(t);
  const plan::GraphLimits l = graph_limits(g, all_pes(g));
  EXPECT_EQ(cut(l, "sip2").out, Bandwidth::gb_per_s(57));
  EXPECT_EQ(cut(l, "sips below 2").in,
            Bandwidth::gb_per_s(2 * 57));  // a ring has two wires across, two endpoints behind
  t.io_chiplets = {{Side::west, {0, 0}}, {Side::east, {1, 1}}};
  const Graph twice = build(t);
  EXPECT_EQ(cut(graph_limits(twice, all_pes(twice)), "sip2").out, Bandwidth::gb_per_s(2 * 57));
}

TEST(Limits, only_the_chosen_ranks_count) {
  const Graph g = build(profile("small"));
  const auto pes = all_pes(g);
  const plan::GraphLimits l = graph_limits(g, {pes[0], pes[8]});
  // pe0 of cube 0 to pe0 of cube 1: 5 + 1 hops
  EXPECT_EQ(l.cheapest, Time::ps(8'000 + 8 * 2'000 + 6 * 300 + 16'300));
  EXPECT_EQ(l.cheapest, l.farthest);
  EXPECT_EQ(l.fewest_links, 1 + 5 + 1 + 1 + 1 + 1 + 1);
  EXPECT_EQ(l.cuts.size(), 3U);                                   // two cubes, and the line between their columns
  EXPECT_EQ(cut(l, "sip0.cube0").out, Bandwidth::gb_per_s(128));  // one PE's port
}

TEST(Limits, all_1024_pes_of_full_have_limits) {
  const Graph g = build(profile("full"));
  const plan::GraphLimits l = graph_limits(g, all_pes(g));
  EXPECT_EQ(cut(l, "sip7").out, Bandwidth::gb_per_s(57));
  EXPECT_EQ(cut(l, "sips below 4").out, Bandwidth::gb_per_s(114));
  EXPECT_EQ(l.cuts.size(), 8U * (16 + 3 + 3 + 1) + 3);
}

TEST(Limits, ranks_that_cannot_reach_each_other_are_an_error) {
  Graph g;
  const NodeId a = g.add_node("a", "x", Time()), b = g.add_node("b", "x", Time());
  EXPECT_THROW(graph_limits(g, {a, b}), ConfigError);
}

TEST(MaxFlow, finds_a_flow_that_must_go_back_on_itself) {
  // a to d over b and c, with b to c between: the greedy path a b c d must be undone.
  Graph g;
  const NodeId a = g.add_node("a", "x", Time()), b = g.add_node("b", "x", Time()), c = g.add_node("c", "x", Time()),
               d = g.add_node("d", "x", Time());
  const auto link = [&g](NodeId from, NodeId to, int gbs) {
    g.add_link(from, to, "x", Bandwidth::gb_per_s(gbs), 1, 0.1);
  };
  link(a, b, 1);
  link(b, c, 1);
  link(c, d, 1);
  link(a, c, 1);
  link(b, d, 1);
  MaxFlow flow(g);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(flow.between({a}, {d}), Bandwidth::gb_per_s(2));
    EXPECT_EQ(flow.between({b}, {d}), Bandwidth::gb_per_s(2));
    EXPECT_EQ(flow.between({d}, {a}), Bandwidth());
    EXPECT_EQ(flow.between({a, b}, {c, d}), Bandwidth::gb_per_s(3));
  }
}

}  // namespace
}  // namespace tutti::fabric
