#pragma once
#include <string>
#include <utility>
#include <vector>

#include "fabric/graph.h"

namespace tutti::fabric {

/// (row, column) of a mesh.
using Position = std::pair<int, int>;

/// What a machine is made of: SIPs behind one PCIe switch, each a mesh of cubes joined by UCIe, each a mesh of routers
/// with PEs.
struct Topology {
  int sips = 1;
  int cube_rows = 4, cube_columns = 4;
  double cube_pitch_mm = 12.0;
  int rows = 4, columns = 4;  ///< routers of a cube
  double hop_mm = 3.0, ns_per_mm = 0.10;
  std::vector<Position> pes = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {3, 0}, {3, 1}, {3, 2}, {3, 3}};
  Position north = {0, 1}, south = {3, 2}, west = {1, 0}, east = {2, 3};  ///< routers of the UCIe ports
  Position sram = {1, 0}, m_cpu = {2, 3};
  Bandwidth noc_bandwidth = Bandwidth::gb_per_s(128), ucie_bandwidth = Bandwidth::gb_per_s(128);
  Bandwidth hbm_slice_bandwidth = Bandwidth::gb_per_s(256), pcie_bandwidth = Bandwidth::gb_per_s(57);
  Time router = Time::ns(2), dma = Time::ns(4), ucie = Time::ns(8), m_cpu_overhead = Time::ns(5);
  Time io_noc = Time::ns(4), pcie_endpoint = Time::ns(75), pcie_switch = Time::ns(110);
};

/// tiny: 1 SIP, 2 x 2 cubes, 4 PEs each; small: 1 SIP, 4 x 4 cubes, 8 PEs; full: 8 SIPs of small.
/// @throws ConfigError  another name: lists the known ones.
Topology profile(const std::string& name);

/// Paths: sipS.cubeC.peP.pe_dma, .rR_C, .ucie_N|S|W|E, .sram, .hbmH (one controller a PE), .m_cpu; sipS.io_noc,
/// .pcie_ep; pcie_switch. Memories and the switch's wires add no latency here.
/// @throws ConfigError  no SIP, cube, router or PE; a part off its mesh; two PEs at one router.
Graph build(const Topology& topology);

}  // namespace tutti::fabric
