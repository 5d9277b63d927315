#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/graph.h"
#include "fabric/layout.h"

namespace tutti::fabric {

/// Joins a SIP to the outside: a UCIe port at one cube, a NoC, an IO_CPU and a PCIe endpoint.
struct IoChiplet {
  Side side = Side::west;
  Position at_cube = {0, 0};
};

/// What a machine is made of: SIPs joined by PCIe, each a mesh of cubes joined by UCIe, each a mesh of routers with
/// PEs. Every default is that of the specification; units as the types say, rates in one direction.
struct Topology {
  int sips = 1;
  std::string sip_topology = "ring_1d";  ///< a name of sip_topologies()
  int sip_rows = 0, sip_columns = 0;     ///< of a grid; 0: the square
  int cube_rows = 4, cube_columns = 4;
  bool cube_wrap = false;
  double cube_pitch_mm = 12.0;
  int rows = 4, columns = 4;  ///< routers of a cube
  double hop_mm = 3.0, ns_per_mm = 0.10;
  double board_mm = 1000.0, board_ns_per_mm = 0.0067;  ///< trace from a PCIe endpoint to a switch
  std::vector<Position> pes = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {3, 0}, {3, 1}, {3, 2}, {3, 3}};
  std::optional<Position> north = Position(0, 1), south = Position(3, 2), west = Position(1, 0),
                          east = Position(2, 3);  ///< routers of the UCIe ports; a cube may lack some
  std::vector<IoChiplet> io_chiplets = {IoChiplet()};
  Position sram = {1, 0}, m_cpu = {2, 3};
  int hbm_slices = 8;  ///< of a cube; slice i stands at the router of PE i mod number of PEs
  Bandwidth noc_bandwidth = Bandwidth::gb_per_s(128), ucie_bandwidth = Bandwidth::gb_per_s(128);
  Bandwidth sram_bandwidth = Bandwidth::gb_per_s(128);
  Bandwidth hbm_slice_bandwidth = Bandwidth::bits_per_second(1'638'400'000'000);  ///< 8 x 32 GB/s, 0.8 of it
  Bandwidth pcie_bandwidth = Bandwidth::gb_per_s(57);
  Time router = Time::ns(2), dma = Time::ns(4), cpu = Time::ns(2), ucie = Time::ns(8), m_cpu_overhead = Time::ns(5);
  Time io_noc = Time::ns(4), io_cpu = Time::ns(10), pcie_endpoint = Time::ns(75), pcie_switch = Time::ns(110);
  int flit_bytes = 64;
  std::uint64_t vc_chunk_bytes = 256;
  std::vector<std::string> vcs = {"compute", "comm", "credit", "response"};  ///< that routers have
  std::string routing = "auto";                                              ///< a name of route_policies(), or auto
};

/// tiny: 1 SIP, 2 x 2 cubes, 4 PEs each; small: 1 SIP, 4 x 4 cubes, 8 PEs; full: 8 SIPs of small.
/// @throws ConfigError  another name: lists the known ones.
Topology profile(const std::string& name);

/// Paths: sipS.cubeC.peP.pe_dma and .cpu, .rR_C, .ucie_N|S|W|E, .sram, .hbmH, .m_cpu; sipS.ioK.ucie, .io_noc, .io_cpu,
/// .pcie_ep; pcieK.switch or pcieK.switchA_B between SIPs A and B; host. Memories add no latency here.
/// @throws ConfigError  no SIP, cube, router or PE; a part off its mesh; two PEs at one router; a PE that another
/// cannot reach.
Graph build(const Topology& topology);

}  // namespace tutti::fabric
