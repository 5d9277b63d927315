#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ccl/port.h"

namespace tutti::ccl {

/// Which rank is behind each port of one rank.
using Neighbors = std::array<std::optional<int>, max_ports>;
/// Rows and columns; ranks are numbered along rows.
struct Grid {
  int rows = 0, columns = 0;
  bool wraps = true;  ///< the last of a row or column is a neighbour of the first
};

/// The neighbours of every rank under a builtin topology: ring_1d, ring_1d_unidir, mesh_2d (wraps), torus_2d (the
/// same), mesh_2d_no_wrap, tree_binary (root is rank 0), none and custom (empty, for a kernel's own neighbors hook). A
/// rank is never its own neighbour: ports that would lead back to itself stay empty.
/// @param grid  for the 2D ones; without it world_size must be a square.
/// @throws ConfigError  unknown name, world_size < 1, or a grid that does not hold world_size ranks.
/// Source: ADR-0023 D3, D11; spec C6, C9.
std::vector<Neighbors> neighbors_of(std::string_view topology, int world_size, std::optional<Grid> grid = {});
/// The grid that a 2D topology lays the ranks on; 1 x world_size for all others. @throws ConfigError  as neighbors_of.
Grid grid_of(std::string_view topology, int world_size, std::optional<Grid> grid = {});
/// Names that neighbors_of knows.
std::vector<std::string_view> topology_names();

/// For each rank and port: the port of the peer that leads back. Prefers the opposite port, then any that points back
/// and is not taken: so the two ports of a ring of two pair crosswise. A port that nothing leads back from (a ring of
/// one direction) pairs with a receive-only port of the peer: the opposite one.
/// @param one_way  every port only sends and pairs with the facing port: else the two ranks of a one-way ring of two,
/// whose E ports lead to each other, would pair E with E.
/// @throws ConfigError  a neighbour that is no rank, or no free port to pair with (I3).
/// Source: spec C8, R100, R167.
std::vector<std::array<std::optional<Port>, max_ports>> pair_ports(const std::vector<Neighbors>& neighbors,
                                                                   bool one_way = false);
/// Whether ports of this topology only send.
inline bool is_one_way(std::string_view topology) { return topology == "ring_1d_unidir"; }

}  // namespace tutti::ccl
