#include "fabric/topology.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"

namespace tutti::fabric {
namespace {

Time one_way(const Graph& g, const std::string& a, const std::string& b, std::int64_t bytes) {
  const NodeId from = g.node(a);
  return path_latency(g, from, shortest_route(g, from, g.node(b)), Bytes(bytes));
}

TEST(Topology, every_pair_of_pes_in_a_cube_pays_its_manhattan_distance) {
  const Topology t = profile("small");
  const Graph g = build(t);
  for (std::size_t a = 0; a < t.pes.size(); ++a)
    for (std::size_t b = 0; b < t.pes.size(); ++b) {
      if (a == b) continue;
      const int hops = std::abs(t.pes[a].first - t.pes[b].first) + std::abs(t.pes[a].second - t.pes[b].second);
      const auto pe = [](std::size_t i) { return "sip0.cube3.pe" + std::to_string(i) + ".pe_dma"; };
      EXPECT_EQ(one_way(g, pe(a), pe(b), 4096), Time::ps(8'000 + 2'000 * (hops + 1) + 300 * hops + 32'000));
    }
}

TEST(Topology, the_nearest_pes_of_adjacent_cubes_are_33_ns_apart_and_never_nearer_than_in_the_cube) {
  const Graph g = build(profile("tiny"));
  const Graph s = build(profile("small"));
  EXPECT_EQ(one_way(s, "sip0.cube0.pe7.pe_dma", "sip0.cube1.pe0.pe_dma", 16), Time::ps(33'025));
  EXPECT_GT(one_way(g, "sip0.cube0.pe0.pe_dma", "sip0.cube1.pe0.pe_dma", 16),
            one_way(g, "sip0.cube0.pe0.pe_dma", "sip0.cube0.pe3.pe_dma", 16));
}

TEST(Topology, the_farther_of_two_cubes_in_a_row_is_reached_directly_when_cubes_wrap) {
  Topology t = profile("small");
  t.cube_wrap = true;
  t.io_chiplets.clear();
  const Graph g = build(t);
  // cube 0 to cube 3 by the west: both PEs are a hop from their ports, and there are 36 mm of wire
  EXPECT_EQ(one_way(g, "sip0.cube0.pe0.pe_dma", "sip0.cube3.pe7.pe_dma", 0),
            Time::ps(2 * 4'000 + 2 * (2 * 2'000 + 300) + 2 * 8'000 + 3'600));
}

TEST(Topology, full_has_1024_pes_with_an_hbm_controller_each) {
  const Graph g = build(profile("full"));
  int pes = 0, hbm = 0;
  for (const Node& n : g.nodes()) {
    pes += n.kind == "pe_dma";
    hbm += n.kind == "hbm";
  }
  EXPECT_EQ(pes, 1024);
  EXPECT_EQ(hbm, 1024);
  EXPECT_EQ(bottleneck(g, shortest_route(g, g.node("sip0.cube0.pe0.pe_dma"), g.node("sip7.cube15.pe7.pe_dma"))),
            Bandwidth::gb_per_s(57));
}

TEST(Topology, a_machine_whose_pes_cannot_reach_each_other_names_one_that_is_cut_off) {
  Topology no_east = profile("tiny"), no_io = profile("tiny");
  no_east.east.reset();
  no_io.sips = 2;
  no_io.io_chiplets.clear();
  for (const auto& [t, cut_off] : {std::pair(no_east, "sip0.cube1.pe0"), std::pair(no_io, "sip1.cube0.pe0")}) {
    try {
      build(t);
      FAIL();
    } catch (const ConfigError& e) {
      EXPECT_NE(std::string(e.what()).find(cut_off), std::string::npos) << e.what();
    }
  }
}

TEST(Topology, sips_that_do_not_fill_their_grid_are_refused) {
  Topology t = profile("tiny");
  t.sips = 6;
  t.sip_topology = "mesh_2d";
  EXPECT_THROW(build(t), ConfigError);
  t.sip_rows = 2;
  t.sip_columns = 2;
  EXPECT_THROW(build(t), ConfigError);
  t.sip_columns = 3;
  EXPECT_NO_THROW(build(t));
  t.sip_topology = "mesh2d";
  EXPECT_THROW(build(t), ConfigError);
}

TEST(Topology, io_chiplets_need_a_free_side_each) {
  Topology inner = profile("small"), twice = profile("small"), off = profile("small");
  inner.io_chiplets = {{Side::west, {0, 1}}};
  twice.io_chiplets = {{Side::west, {0, 0}}, {Side::west, {0, 0}}};
  off.io_chiplets = {{Side::west, {4, 0}}};
  for (const Topology& t : {inner, twice, off}) EXPECT_THROW(build(t), ConfigError);
}

TEST(Topology, faults_are_refused) {
  Topology off = profile("tiny"), twice = profile("tiny"), none = profile("tiny"), tight = profile("tiny");
  off.pes[0] = {4, 0};
  twice.pes[1] = twice.pes[0];
  none.sips = 0;
  tight.cube_pitch_mm = 8.0;
  for (const Topology& t : {off, twice, none, tight}) EXPECT_THROW(build(t), ConfigError);
  EXPECT_THROW(profile("huge"), ConfigError);
}

}  // namespace
}  // namespace tutti::fabric
