#include "fabric/topology.h"

#include <cmath>
#include <set>

#include "base/error.h"
#include "fabric/machine_builder.h"
#include "fabric/shortest_paths.h"
#include "fabric/sip_topology.h"

namespace tutti::fabric {
namespace {

std::string place(Position p) { return "[" + std::to_string(p.first) + ", " + std::to_string(p.second) + "]"; }

void check(const Topology& t) {
  if (t.sips < 1 || t.cube_rows < 1 || t.cube_columns < 1 || t.rows < 1 || t.columns < 1 || t.pes.empty())
    throw ConfigError("topology: needs at least one SIP, cube, router and PE");
  const auto on_mesh = [&t](const std::string& what, Position p) {
    if (p.first < 0 || p.first >= t.rows || p.second < 0 || p.second >= t.columns)
      throw ConfigError("topology: " + what + " at " + place(p) + " is off the " + std::to_string(t.rows) + " x " +
                        std::to_string(t.columns) + " mesh");
  };
  std::set<Position> taken;
  for (std::size_t i = 0; i < t.pes.size(); ++i) {
    on_mesh("pe" + std::to_string(i), t.pes[i]);
    if (!taken.insert(t.pes[i]).second) throw ConfigError("topology: two PEs at " + place(t.pes[i]));
  }
  const std::pair<const char*, const std::optional<Position>*> ports[] = {
      {"ucie_N", &t.north}, {"ucie_S", &t.south}, {"ucie_W", &t.west}, {"ucie_E", &t.east}};
  for (const auto& [name, at] : ports)
    if (*at) on_mesh(name, **at);
  on_mesh("sram", t.sram);
  on_mesh("m_cpu", t.m_cpu);
  if (t.cube_pitch_mm < t.hop_mm * (t.columns - 1) || t.cube_pitch_mm < t.hop_mm * (t.rows - 1))
    throw ConfigError("topology: cubes of this mesh do not fit the pitch of " + std::to_string(t.cube_pitch_mm) +
                      " mm");
  std::set<std::pair<Position, Side>> sides;
  for (const IoChiplet& io : t.io_chiplets) {
    const auto [row, column] = io.at_cube;
    if (row < 0 || row >= t.cube_rows || column < 0 || column >= t.cube_columns)
      throw ConfigError("topology: an IO chiplet at cube " + place(io.at_cube) + " is off the " +
                        std::to_string(t.cube_rows) + " x " + std::to_string(t.cube_columns) + " cubes");
    const bool outer = io.side == Side::north   ? row == 0
                       : io.side == Side::south ? row == t.cube_rows - 1
                       : io.side == Side::west  ? column == 0
                                                : column == t.cube_columns - 1;
    if (!outer || t.cube_wrap)
      throw ConfigError("topology: an IO chiplet at cube " + place(io.at_cube) + " needs a free side there");
    if (!sides.insert({io.at_cube, io.side}).second)
      throw ConfigError("topology: two IO chiplets at one side of cube " + place(io.at_cube));
  }
}

/// Of the first PE, both ways: links come in pairs, so that reaches all pairs.
void check_reach(const Graph& g) {
  const std::vector<Layout::Cube>& cubes = g.layout()->cubes;
  const NodeId first = cubes.front().pes.front();
  const std::vector<Time> latencies = latencies_from(g, first);
  std::string faults;
  int count = 0;
  for (const Layout::Cube& cube : cubes)
    for (const NodeId pe : cube.pes)
      if (latencies[pe] == Time::max() && ++count <= 3) faults += (count > 1 ? ", " : "") + g.nodes()[pe].path;
  if (count > 0)
    throw ConfigError("topology: " + g.nodes()[first].path + " cannot reach " + faults +
                      (count > 3 ? " and " + std::to_string(count - 3) + " more" : "") +
                      "; is a UCIe port or an IO chiplet missing?");
}

}  // namespace

Topology profile(const std::string& name) {
  Topology t;
  if (name == "small") return t;
  if (name == "full") {
    t.sips = 8;
    return t;
  }
  if (name != "tiny") throw ConfigError("topology: unknown profile '" + name + "'; known: tiny, small, full");
  t.cube_rows = t.cube_columns = 2;
  t.pes.resize(4);
  return t;
}

Graph build(const Topology& t) {
  check(t);
  SipGrid grid{t.sips, t.sip_rows, t.sip_columns};
  const SipTopology& kind = sip_topologies().at(t.sip_topology);
  if (kind.needs_grid && grid.rows == 0 && grid.columns == 0) {
    const int side = static_cast<int>(std::lround(std::sqrt(t.sips)));
    if (side * side != t.sips)
      throw ConfigError("topology: " + t.sip_topology + " of " + std::to_string(t.sips) +
                        " SIPs is not a square; give w and h");
    grid.rows = grid.columns = side;
  }
  if (kind.needs_grid && grid.rows * grid.columns != t.sips)
    throw ConfigError("topology: " + std::to_string(grid.rows) + " x " + std::to_string(grid.columns) + " is not " +
                      std::to_string(t.sips) + " SIPs");
  Graph g = MachineBuilder(t, kind, grid).build();
  check_reach(g);
  return g;
}

}  // namespace tutti::fabric
