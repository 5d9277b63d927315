#include "ccl/topologies.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::ccl {
namespace {

void set(Neighbors& n, int self, Port p, int peer) {
  if (peer != self) n[index(p)] = peer;
}

Grid grid_for(std::string_view topology, int world_size, std::optional<Grid> grid) {
  if (grid) {
    if (grid->rows < 1 || grid->columns < 1 || grid->rows * grid->columns != world_size)
      throw ConfigError(fmt::format("topology {}: a grid of {} x {} does not hold {} ranks", topology, grid->rows,
                                    grid->columns, world_size));
    return *grid;
  }
  const int side = static_cast<int>(std::lround(std::sqrt(world_size)));
  if (side * side != world_size)
    throw ConfigError(
        fmt::format("topology {}: {} ranks are no square; give grid: [rows, columns]", topology, world_size));
  return {side, side};
}

bool is_grid(std::string_view topology) {
  return topology == "mesh_2d" || topology == "torus_2d" || topology == "mesh_2d_no_wrap";
}

void grid_neighbors(std::vector<Neighbors>& all, Grid g, bool wrap) {
  for (int r = 0; r < g.rows; ++r)
    for (int c = 0; c < g.columns; ++c) {
      const int self = r * g.columns + c;
      auto& n = all[static_cast<std::size_t>(self)];
      const auto at = [&](int row, int column) {
        return (row + g.rows) % g.rows * g.columns + (column + g.columns) % g.columns;
      };
      if (wrap || r > 0) set(n, self, Port::N, at(r - 1, c));
      if (wrap || r + 1 < g.rows) set(n, self, Port::S, at(r + 1, c));
      if (wrap || c + 1 < g.columns) set(n, self, Port::E, at(r, c + 1));
      if (wrap || c > 0) set(n, self, Port::W, at(r, c - 1));
    }
}

}  // namespace

std::vector<std::string_view> topology_names() {
  return {"ring_1d", "ring_1d_unidir", "mesh_2d", "torus_2d", "mesh_2d_no_wrap", "tree_binary", "none", "custom"};
}

Grid grid_of(std::string_view topology, int world_size, std::optional<Grid> grid) {
  if (!is_grid(topology)) return {1, world_size};
  Grid g = grid_for(topology, world_size, grid);
  g.wraps = topology != "mesh_2d_no_wrap";
  return g;
}

std::vector<Neighbors> neighbors_of(std::string_view topology, int world_size, std::optional<Grid> grid) {
  if (world_size < 1)
    throw ConfigError(fmt::format("topology {}: {} ranks; at least one is needed", topology, world_size));
  std::vector<Neighbors> all(static_cast<std::size_t>(world_size));
  if (topology == "ring_1d" || topology == "ring_1d_unidir") {
    for (int r = 0; r < world_size; ++r) {
      auto& n = all[static_cast<std::size_t>(r)];
      set(n, r, Port::E, (r + 1) % world_size);
      if (topology == "ring_1d") set(n, r, Port::W, (r + world_size - 1) % world_size);
    }
  } else if (is_grid(topology)) {
    const Grid g = grid_of(topology, world_size, grid);
    grid_neighbors(all, g, g.wraps);
  } else if (topology == "tree_binary") {
    for (int r = 0; r < world_size; ++r) {
      auto& n = all[static_cast<std::size_t>(r)];
      if (r > 0) n[index(Port::parent)] = (r - 1) / 2;
      if (2 * r + 1 < world_size) n[index(Port::child_left)] = 2 * r + 1;
      if (2 * r + 2 < world_size) n[index(Port::child_right)] = 2 * r + 2;
    }
  } else if (topology != "none" && topology != "custom") {
    throw ConfigError(fmt::format("unknown topology '{}'; known: {}", topology, fmt::join(topology_names(), ", ")));
  }
  return all;
}

std::vector<std::array<std::optional<Port>, max_ports>> pair_ports(const std::vector<Neighbors>& neighbors,
                                                                   bool one_way) {
  const std::size_t ranks = neighbors.size();
  std::vector<std::array<std::optional<Port>, max_ports>> pairs(ranks);
  std::vector<std::array<bool, max_ports>> taken(ranks);
  const auto points_back = [&](std::size_t peer, Port q, std::size_t self) {
    return neighbors[peer][index(q)] == static_cast<int>(self) && !taken[peer][index(q)];
  };
  const auto join = [&](std::size_t self, std::size_t p, Port q) {
    const auto peer = static_cast<std::size_t>(*neighbors[self][p]);
    pairs[self][p] = q;
    taken[peer][index(q)] = true;
  };
  // First everybody's opposite ports, then what is left: else a port could take the opposite of another.
  for (int pass = one_way ? 2 : 0; pass < 3; ++pass)
    for (std::size_t self = 0; self < ranks; ++self)
      for (std::size_t p = 0; p < max_ports; ++p) {
        if (!neighbors[self][p] || pairs[self][p]) continue;
        if (*neighbors[self][p] < 0 || static_cast<std::size_t>(*neighbors[self][p]) >= ranks)
          throw ConfigError(fmt::format("rank {} port {}: its neighbour {} is none of the {} ranks", self,
                                        port_names[p], *neighbors[self][p], ranks));
        const auto peer = static_cast<std::size_t>(*neighbors[self][p]);
        const auto facing = opposite(static_cast<Port>(p));
        if (pass == 0) {
          if (facing && points_back(peer, *facing, self)) join(self, p, *facing);
          continue;
        }
        for (std::size_t q = 0; pass == 1 && q < max_ports && !pairs[self][p]; ++q)
          if (points_back(peer, static_cast<Port>(q), self)) join(self, p, static_cast<Port>(q));
        if (pass == 2) {
          if (!facing || neighbors[peer][index(*facing)] || taken[peer][index(*facing)])
            throw ConfigError(fmt::format("rank {} port {} leads to rank {}, but no port of rank {} leads back", self,
                                          port_names[p], peer, peer));
          join(self, p, *facing);
        }
      }
  return pairs;
}

}  // namespace tutti::ccl
