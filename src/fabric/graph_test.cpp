#include "fabric/graph.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::fabric {
namespace {

/// A row of `routers` mesh routers (2 ns, 3 mm at 0.1 ns/mm, 128 GB/s) with a DMA (4 ns) at either end.
Graph row(int routers) {
  Graph g;
  NodeId last = g.add_node("a.pe_dma", "pe_dma", Time::ns(4));
  for (int i = 0; i < routers; ++i) {
    const NodeId r = g.add_node("r" + std::to_string(i), "router", Time::ns(2));
    g.connect(last, r, "noc", Bandwidth::gb_per_s(128), i == 0 ? 0.0 : 3.0, 0.1);
    last = r;
  }
  g.connect(last, g.add_node("b.pe_dma", "pe_dma", Time::ns(4)), "noc", Bandwidth::gb_per_s(128), 0.0, 0.1);
  return g;
}

Time latency(const Graph& g, std::int64_t bytes) {
  const NodeId a = g.node("a.pe_dma");
  return path_latency(g, a, shortest_route(g, a, g.node("b.pe_dma")), Bytes(bytes));
}

TEST(Graph, zero_load_latency_in_a_cube_is_that_of_the_specification) {
  EXPECT_EQ(latency(row(2), 16), Time::ps(12'425));
  EXPECT_EQ(latency(row(2), 128), Time::ps(13'300));
  EXPECT_EQ(latency(row(2), 4096), Time::ps(44'300));
  EXPECT_EQ(latency(row(7), 16), Time::ps(23'925));
  EXPECT_EQ(latency(row(7), 128), Time::ps(24'800));
  EXPECT_EQ(latency(row(7), 4096), Time::ps(55'800));
}

TEST(Graph, the_narrowest_link_is_paid_once_and_rounded_up_once) {
  Graph g;
  const NodeId a = g.add_node("a", "x", Time()), b = g.add_node("b", "x", Time()), c = g.add_node("c", "x", Time());
  g.connect(a, b, "x", Bandwidth::gb_per_s(3), 0.0, 0.1);
  g.connect(b, c, "x", Bandwidth::gb_per_s(5), 0.0, 0.1);
  EXPECT_EQ(path_latency(g, a, shortest_route(g, a, c), Bytes(1)), Time::ps(334));
}

TEST(Graph, a_missing_route_is_an_error_that_names_both_ends) {
  Graph g;
  const NodeId a = g.add_node("left", "x", Time()), b = g.add_node("right", "x", Time());
  try {
    shortest_route(g, a, b);
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find("left to right"), std::string::npos);
  }
}

TEST(Graph, faults_in_nodes_and_links_are_refused) {
  Graph g;
  const NodeId a = g.add_node("a", "x", Time());
  EXPECT_THROW(g.add_node("a", "x", Time()), ConfigError);
  EXPECT_THROW(g.node("b"), ConfigError);
  EXPECT_THROW(g.connect(a, a, "x", Bandwidth(), 1.0, 0.1), ConfigError);
}

}  // namespace
}  // namespace tutti::fabric
