#pragma once
#include <array>
#include <utility>
#include <vector>

#include "fabric/graph.h"

namespace tutti::fabric {

/// (row, column) of a mesh.
using Position = std::pair<int, int>;
/// A side of a cube.
enum class Side : std::uint8_t { north, south, west, east };
inline Side opposite(Side s) { return static_cast<Side>(static_cast<std::uint8_t>(s) ^ 1U); }

/// Where the parts of a machine stand in its graph: what structured routing and cuts go by.
struct Layout {
  struct Cube {
    std::vector<NodeId> routers;                              ///< [row * columns + column]
    std::array<NodeId, 4> ports{no_id, no_id, no_id, no_id};  ///< UCIe, [Side]
    std::array<int, 4> port_router{};                         ///< index into routers
    std::vector<NodeId> pes;                                  ///< pe_dma of each PE
  };
  struct Io {
    int cube = 0;  ///< the cube that it stands at
    Side side = Side::west;
    NodeId port = no_id, noc = no_id, cpu = no_id, endpoint = no_id;
  };
  /// Where a node hangs: `up` leads to the mesh (a router) or to an IO chiplet (its io_noc).
  struct Place {
    NodeId up = no_id;  ///< itself at a router, an io_noc, and outside of the SIPs
    int sip = -1, cube = -1;
    int router = -1;  ///< index into Cube::routers
    int io = -1;      ///< IO chiplet of the SIP; of endpoints and switches too
  };

  int sips = 0, cube_rows = 0, cube_columns = 0, rows = 0, columns = 0;
  bool wrap = false;             ///< cubes at opposite ends of a row or column are joined
  std::vector<Cube> cubes;       ///< [sip * cubes of a SIP + cube]
  std::vector<Io> ios;           ///< [sip * chiplets of a SIP + chiplet]
  int chiplets = 0;              ///< of a SIP
  std::vector<int> next_sip;     ///< [from * sips + to]: on the way there
  std::vector<NodeId> switches;  ///< [chiplet][from * sips + to]: between neighbours
  std::vector<Place> places;     ///< of every node
  NodeId host = no_id;

  int cubes_of_sip() const { return cube_rows * cube_columns; }
  const Cube& cube(int sip, int c) const { return cubes[static_cast<std::size_t>(sip * cubes_of_sip() + c)]; }
  const Io& io(int sip, int chiplet) const { return ios[static_cast<std::size_t>(sip * chiplets + chiplet)]; }
  NodeId switch_between(int chiplet, int a, int b) const {
    return switches[static_cast<std::size_t>((chiplet * sips + a) * sips + b)];
  }
};

}  // namespace tutti::fabric
