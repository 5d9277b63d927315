#include "fabric/topology.h"

#include <set>

#include "base/error.h"

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
  on_mesh("ucie_N", t.north);
  on_mesh("ucie_S", t.south);
  on_mesh("ucie_W", t.west);
  on_mesh("ucie_E", t.east);
  on_mesh("sram", t.sram);
  on_mesh("m_cpu", t.m_cpu);
  if (t.cube_pitch_mm < t.hop_mm * (t.columns - 1) || t.cube_pitch_mm < t.hop_mm * (t.rows - 1))
    throw ConfigError("topology: cubes of this mesh do not fit the pitch of " + std::to_string(t.cube_pitch_mm) +
                      " mm");
}

void add_cube(Graph& g, const Topology& t, const std::string& cube) {
  const auto router = [&](Position p) {
    return g.node(cube + ".r" + std::to_string(p.first) + "_" + std::to_string(p.second));
  };
  for (int r = 0; r < t.rows; ++r)
    for (int c = 0; c < t.columns; ++c) {
      const NodeId n = g.add_node(cube + ".r" + std::to_string(r) + "_" + std::to_string(c), "router", t.router);
      if (c > 0) g.connect(router({r, c - 1}), n, "noc", t.noc_bandwidth, t.hop_mm, t.ns_per_mm);
      if (r > 0) g.connect(router({r - 1, c}), n, "noc", t.noc_bandwidth, t.hop_mm, t.ns_per_mm);
    }
  const auto attach = [&](const std::string& name, const std::string& kind, Time overhead, Position at,
                          Bandwidth bandwidth) {
    g.connect(g.add_node(cube + "." + name, kind, overhead), router(at), kind, bandwidth, 0.0, t.ns_per_mm);
  };
  for (std::size_t i = 0; i < t.pes.size(); ++i) {
    attach("pe" + std::to_string(i) + ".pe_dma", "pe_dma", t.dma, t.pes[i], t.noc_bandwidth);
    attach("hbm" + std::to_string(i), "hbm", Time(), t.pes[i], t.hbm_slice_bandwidth);
  }
  attach("ucie_N", "ucie", t.ucie, t.north, t.ucie_bandwidth);
  attach("ucie_S", "ucie", t.ucie, t.south, t.ucie_bandwidth);
  attach("ucie_W", "ucie", t.ucie, t.west, t.ucie_bandwidth);
  attach("ucie_E", "ucie", t.ucie, t.east, t.ucie_bandwidth);
  attach("sram", "sram", Time(), t.sram, t.noc_bandwidth);
  attach("m_cpu", "m_cpu", t.m_cpu_overhead, t.m_cpu, t.noc_bandwidth);
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
  Graph g;
  const NodeId pcie = g.add_node("pcie_switch", "pcie_switch", t.pcie_switch);
  for (int s = 0; s < t.sips; ++s) {
    const std::string sip = "sip" + std::to_string(s);
    const auto cube = [&](int r, int c) { return sip + ".cube" + std::to_string(r * t.cube_columns + c); };
    for (int r = 0; r < t.cube_rows; ++r)
      for (int c = 0; c < t.cube_columns; ++c) {
        add_cube(g, t, cube(r, c));
        const auto join = [&](const std::string& before, const std::string& after, double gap) {
          g.connect(g.node(before), g.node(after), "ucie", t.ucie_bandwidth, gap, t.ns_per_mm);
        };
        if (c > 0)
          join(cube(r, c - 1) + ".ucie_E", cube(r, c) + ".ucie_W", t.cube_pitch_mm - t.hop_mm * (t.columns - 1));
        if (r > 0) join(cube(r - 1, c) + ".ucie_S", cube(r, c) + ".ucie_N", t.cube_pitch_mm - t.hop_mm * (t.rows - 1));
      }
    const NodeId io = g.add_node(sip + ".io_noc", "io_noc", t.io_noc);
    const NodeId endpoint = g.add_node(sip + ".pcie_ep", "pcie_ep", t.pcie_endpoint);
    g.connect(g.node(cube(0, 0) + ".ucie_W"), io, "ucie", t.ucie_bandwidth, 0.0, t.ns_per_mm);
    g.connect(io, endpoint, "io", t.pcie_bandwidth, 0.0, t.ns_per_mm);
    g.connect(endpoint, pcie, "pcie", t.pcie_bandwidth, 0.0, t.ns_per_mm);
  }
  return g;
}

}  // namespace tutti::fabric
