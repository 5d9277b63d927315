#include "ccl/topologies.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::ccl {
namespace {

TEST(Topologies, a_ring_leads_east_to_the_next_and_west_to_the_previous) {
  const auto n = neighbors_of("ring_1d", 5);
  for (int r = 0; r < 5; ++r) {
    EXPECT_EQ(n[static_cast<std::size_t>(r)][index(Port::E)], (r + 1) % 5);
    EXPECT_EQ(n[static_cast<std::size_t>(r)][index(Port::W)], (r + 4) % 5);
    EXPECT_FALSE(n[static_cast<std::size_t>(r)][index(Port::N)]);
  }
}

TEST(Topologies, a_mesh_follows_the_formula_of_the_seed_and_wraps) {
  const int rows = 3, columns = 4;
  const auto n = neighbors_of("mesh_2d", 12, Grid{rows, columns});
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const auto& at = n[static_cast<std::size_t>(r * columns + c)];
      EXPECT_EQ(at[index(Port::N)], (r + rows - 1) % rows * columns + c);
      EXPECT_EQ(at[index(Port::S)], (r + 1) % rows * columns + c);
      EXPECT_EQ(at[index(Port::E)], r * columns + (c + 1) % columns);
      EXPECT_EQ(at[index(Port::W)], r * columns + (c + columns - 1) % columns);
    }
  EXPECT_FALSE(neighbors_of("mesh_2d_no_wrap", 4)[0][index(Port::N)]);
  EXPECT_EQ(neighbors_of("mesh_2d_no_wrap", 4)[0][index(Port::S)], 2);
}

TEST(Topologies, what_cannot_be_is_refused_with_its_numbers) {
  EXPECT_THROW(neighbors_of("mesh_2d", 6), ConfigError);
  EXPECT_THROW(neighbors_of("mesh_2d", 6, Grid{2, 2}), ConfigError);
  EXPECT_THROW(neighbors_of("ring_1d", 0), ConfigError);
  EXPECT_THROW(neighbors_of("rign_1d", 4), ConfigError);
}

TEST(Topologies, in_a_ring_of_two_both_ports_lead_to_one_peer_and_pair_crosswise) {
  const auto pairs = pair_ports(neighbors_of("ring_1d", 2));
  for (const auto& p : pairs) {
    EXPECT_EQ(p[index(Port::E)], Port::W);
    EXPECT_EQ(p[index(Port::W)], Port::E);
  }
}

TEST(Topologies, pairing_leads_back_to_where_it_came_from_everywhere) {
  for (const auto* topology : {"ring_1d", "mesh_2d", "mesh_2d_no_wrap", "tree_binary"})
    for (const int ranks : {1, 4, 9, 16, 64}) {
      const auto n = neighbors_of(topology, ranks);
      const auto pairs = pair_ports(n);
      for (std::size_t r = 0; r < n.size(); ++r)
        for (std::size_t p = 0; p < max_ports; ++p) {
          if (!n[r][p]) continue;
          const auto peer = static_cast<std::size_t>(*n[r][p]);
          ASSERT_TRUE(pairs[r][p]) << topology;
          EXPECT_EQ(n[peer][index(*pairs[r][p])], static_cast<int>(r)) << topology;
          EXPECT_EQ(pairs[peer][index(*pairs[r][p])], static_cast<Port>(p)) << topology << ranks;
        }
    }
}

TEST(Topologies, a_child_pairs_with_the_port_of_its_parent_that_points_at_it) {
  const auto pairs = pair_ports(neighbors_of("tree_binary", 3));
  EXPECT_EQ(pairs[1][index(Port::parent)], Port::child_left);
  EXPECT_EQ(pairs[2][index(Port::parent)], Port::child_right);
}

TEST(Topologies, a_ring_of_one_direction_pairs_with_the_facing_port) {
  EXPECT_EQ(pair_ports(neighbors_of("ring_1d_unidir", 3), true)[0][index(Port::E)], Port::W);
  EXPECT_EQ(pair_ports(neighbors_of("ring_1d_unidir", 2), true)[1][index(Port::E)], Port::W);
}

TEST(Topologies, a_neighbour_that_nothing_leads_back_from_is_refused) {
  auto n = neighbors_of("ring_1d", 4);
  n[1][index(Port::E)] = 3;
  EXPECT_THROW(pair_ports(n), ConfigError);
  n[1][index(Port::E)] = 9;
  EXPECT_THROW(pair_ports(n), ConfigError);
}

}  // namespace
}  // namespace tutti::ccl
