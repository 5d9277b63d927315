#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "fabric/route_policy.h"
#include "fabric/shortest_paths.h"
#include "fabric/sip_topology.h"
#include "fabric/topology.h"

namespace tutti::fabric {
namespace {

std::vector<std::string> walk(const Graph& g, const std::string& policy, const std::string& from,
                              const std::string& to) {
  std::vector<std::string> nodes{from};
  for (const LinkId l : make_route_policy(policy, g, 1)->route(g.node(from), g.node(to))) {
    EXPECT_EQ(g.nodes()[g.links()[l].source].path, nodes.back());
    nodes.push_back(g.nodes()[g.links()[l].destination].path);
  }
  EXPECT_EQ(nodes.back(), to);
  return nodes;
}

TEST(Routes, dimension_order_goes_along_the_row_first_then_along_the_column) {
  const Graph g = build(profile("small"));
  const std::string c = "sip0.cube0.";
  EXPECT_EQ(walk(g, "dimension_order", c + "pe0.pe_dma", c + "pe6.pe_dma"),
            (std::vector<std::string>{c + "pe0.pe_dma", c + "r0_0", c + "r0_1", c + "r0_2", c + "r1_2", c + "r2_2",
                                      c + "r3_2", c + "pe6.pe_dma"}));
}

TEST(Routes, dimension_order_takes_the_row_first_even_where_the_column_is_faster) {
  Topology t = profile("small");
  const Graph g = build(t);
  const auto nodes = walk(g, "dimension_order", "sip0.cube0.pe0.pe_dma", "sip0.cube5.pe0.pe_dma");
  std::vector<std::string> cubes;
  for (const std::string& n : nodes)
    if (cubes.empty() || cubes.back() != n.substr(0, 10)) cubes.push_back(n.substr(0, 10));
  EXPECT_EQ(cubes, (std::vector<std::string>{"sip0.cube0", "sip0.cube1", "sip0.cube5"}));
}

TEST(Routes, every_pair_of_nodes_of_a_machine_has_a_route_without_a_loop_by_every_policy) {
  Topology t = profile("tiny");
  t.sips = 3;
  t.cube_columns = 3;
  t.pes.resize(2);
  t.io_chiplets = {{Side::west, {0, 0}}, {Side::east, {1, 2}}};
  const Graph g = build(t);
  for (const RoutePolicyKind& kind : route_policies()) {
    const auto policy = kind.make(g, 7);
    for (NodeId a = 0; a < g.nodes().size(); a += 7)
      for (NodeId b = 0; b < g.nodes().size(); ++b) {
        NodeId at = a;
        std::set<LinkId> used;
        for (const LinkId l : policy->route(a, b)) {
          ASSERT_EQ(g.links()[l].source, at);
          ASSERT_TRUE(used.insert(l).second) << kind.name << " " << g.nodes()[a].path << " " << g.nodes()[b].path;
          at = g.links()[l].destination;
        }
        ASSERT_EQ(at, b);
      }
  }
}

TEST(Routes, ecmp_and_table_take_the_least_latency_and_ecmp_spreads_pairs) {
  const Graph g = build(profile("small"));
  const auto table = make_route_policy("table", g, 0), ecmp = make_route_policy("ecmp", g, 3);
  int differ = 0;
  const NodeId from = g.node("sip0.cube0.r0_0");
  const std::vector<Time> least = latencies_from(g, from);
  for (NodeId to = 0; to < g.nodes().size(); ++to) {
    const Route a = table->route(from, to), b = ecmp->route(from, to);
    const Time all = least[to] + g.nodes()[from].overhead;
    ASSERT_EQ(head_latency(g, from, a), all);
    ASSERT_EQ(head_latency(g, from, b), all);
    ASSERT_EQ(ecmp->route(from, to), b);
    differ += a != b;
  }
  EXPECT_GT(differ, 10);
}

TEST(Routes, dimension_order_refuses_a_graph_without_a_layout) {
  Graph g;
  g.add_node("a", "x", Time());
  EXPECT_THROW(make_route_policy("dimension_order", g, 0), ConfigError);
  EXPECT_THROW(make_route_policy("dimension_oder", g, 0), ConfigError);
}

TEST(SipTopologies, routes_follow_edges_and_are_shortest) {
  const SipGrid grids[] = {{2, 1, 2}, {6, 2, 3}, {9, 3, 3}, {12, 3, 4}, {16, 4, 4}};
  for (const SipTopology& kind : sip_topologies())
    for (const SipGrid& grid : grids) {
      const auto n = static_cast<std::size_t>(grid.count);
      const auto edges = kind.edges(grid);
      std::vector<std::vector<int>> hops(n, std::vector<int>(n, edges.empty() ? 1 : 1000));
      for (const auto& [a, b] : edges)
        hops[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
            hops[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = 1;
      const auto direct = hops;
      for (std::size_t i = 0; i < n; ++i) hops[i][i] = 0;
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) hops[i][j] = std::min(hops[i][j], hops[i][k] + hops[k][j]);
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          int steps = 0;
          for (std::size_t at = a; at != b; ++steps) {
            const auto next = static_cast<std::size_t>(kind.next(grid, static_cast<int>(at), static_cast<int>(b)));
            ASSERT_EQ(direct[at][next], 1) << kind.name;
            at = next;
          }
          ASSERT_EQ(steps, hops[a][b]) << kind.name << " of " << n << ": " << a << " to " << b;
        }
    }
}

TEST(SipTopologies, links_are_those_of_the_definition) {
  const auto count = [](const char* name, SipGrid g) { return sip_topologies().at(name).edges(g).size(); };
  EXPECT_EQ(count("ring_1d", {8, 0, 0}), 8U);
  EXPECT_EQ(count("ring_1d", {2, 0, 0}), 1U);
  EXPECT_EQ(count("mesh_2d", {12, 3, 4}), 17U);
  EXPECT_EQ(count("torus_2d", {12, 3, 4}), 24U);
  EXPECT_EQ(count("fully_connected", {8, 0, 0}), 28U);
  EXPECT_EQ(count("tree_binary", {8, 0, 0}), 7U);
}

}  // namespace
}  // namespace tutti::fabric
