#include "device/machine_yaml.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/defaults.h"
#include "fabric/topology_yaml.h"

namespace tutti::device {
namespace {

MachineConfig read(const std::string& text) {
  Config config = Config::text(text, "topology.yaml");
  config.add_defaults(std::string(fabric::default_file("topology.yaml").text), "default");
  MachineConfig m = read_machine(config.root());
  config.finish();
  return m;
}

std::string fault(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no fault";
}

TEST(MachineYaml, the_defaults_are_profile_small_and_those_of_the_structs) {
  const MachineConfig m = load_machine("");
  const fabric::Graph a = fabric::build(m.topology), b = fabric::build(fabric::profile("small"));
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  for (std::size_t n = 0; n < a.nodes().size(); ++n) {
    EXPECT_EQ(a.nodes()[n].path, b.nodes()[n].path);
    EXPECT_EQ(a.nodes()[n].overhead, b.nodes()[n].overhead) << a.nodes()[n].path;
  }
  ASSERT_EQ(a.links().size(), b.links().size());
  for (std::size_t l = 0; l < a.links().size(); ++l) {
    EXPECT_EQ(a.links()[l].bandwidth, b.links()[l].bandwidth) << a.name(static_cast<fabric::LinkId>(l));
    EXPECT_EQ(a.links()[l].latency, b.links()[l].latency);
  }
  const MachineSpec s;
  EXPECT_EQ(m.spec.hbm.read, s.hbm.read);
  EXPECT_EQ(m.spec.ipcq_base, s.ipcq_base);
  EXPECT_EQ(m.spec.gemm.tile_k, s.gemm.tile_k);
  EXPECT_EQ(m.spec.math.bandwidth, s.math.bandwidth);
  EXPECT_EQ(m.fabric.chunk_bytes, 256U);
  EXPECT_EQ(m.fabric.routing, "dimension_order");
}

TEST(MachineYaml, a_profile_gives_the_sizes_and_a_key_overrides_it) {
  const MachineConfig tiny = read("profile: tiny\nsystem: {sips: {count: 3}}");
  EXPECT_EQ(tiny.topology.sips, 3);
  EXPECT_EQ(tiny.topology.cube_rows, 2);
  EXPECT_EQ(tiny.topology.pes.size(), 4U);
  EXPECT_EQ(read("profile: full").topology.sips, 8);
  const MachineConfig own = read("profile: mine\nprofiles: {mine: {sips: 2, cubes: [1, 3], pes: 2}}");
  EXPECT_EQ(own.topology.cube_rows, 1);
  EXPECT_EQ(own.topology.cube_columns, 3);
  EXPECT_EQ(own.topology.pes.size(), 2U);
}

TEST(MachineYaml, units_may_be_written_or_implied_by_the_key) {
  const MachineConfig m = read("cube: {noc: {link_gbs: 64, router_ns: 1500 ps}, sram: {bytes: 1 MiB}}");
  EXPECT_EQ(m.topology.noc_bandwidth, Bandwidth::gb_per_s(64));
  EXPECT_EQ(m.topology.router, Time::ps(1500));
  EXPECT_EQ(m.spec.sram.size, Bytes(1 << 20));
}

TEST(MachineYaml, every_fault_is_named_with_its_place) {
  const struct {
    const char* text;
    const char* where;
    const char* what;
  } cases[] = {
      {"cube: {noc: {ruoter_ns: 3}}", "topology.yaml:1:14", "router_ns"},
      {"cube:\n  noc: {router_ns: 3 GB}", "topology.yaml:2:20", "router_ns"},
      {"cube: {noc: {link_gbs: -1}}", "topology.yaml:1:24", "link_gbs"},
      {"cube: {noc: {link_gbs: 0}}", "topology.yaml:1:24", "link_gbs"},
      {"cube: {pe_layout: {at: [[0, 0], [0, 9], [1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1]]}}",
       "topology.yaml:1:33", "[0, 9] is off the 4 x 4 mesh"},
      {"cube: {pe_layout: {at: [[0, 0], [0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1]]}}",
       "topology.yaml:1:33", "two PEs at [0, 0]"},
      {"cube: {pe_layout: {count: 9}}", "topology.yaml:1:27", "9 PEs need as many places in pe_layout.at, not 8"},
      {"system: {sips: {topology: rign_1d}}", "topology.yaml:1:27", "ring_1d"},
      {"system: {sips: {count: 6, topology: mesh_2d, w: 2, h: 2}}", "topology.yaml:1", "not the number of SIPs"},
      {"system: {sips: {count: 17}}", "topology.yaml:1:24", "16"},
      {"profile: smal", "topology.yaml:1:10", "small"},
      {"sip: {cube_mesh: {pitch_mm: 5}}", "topology.yaml:1:29", "do not fit"},
      {"sip: {io_chiplets: [{side: X, at_cube: [0, 0]}]}", "topology.yaml:1:28", "side"},
      {"cube: {noc: {routing: yx}}", "topology.yaml:1:23", "xy"},
      {"pe: {tcm: {ipcq_region: {base: 0xFFFF00, bytes: 1 MiB}}}", "topology.yaml:1", "does not fit the TCM"},
      {"pe: {dma: {vc_chunk_bytes: 0}}", "topology.yaml:1:28", "vc_chunk_bytes"},
      {"colour: red", "topology.yaml:1:1", "colour"},
  };
  for (const auto& c : cases) {
    const std::string text = fault(c.text);
    EXPECT_NE(text.find(c.where), std::string::npos) << c.text << "\n" << text;
    EXPECT_NE(text.find(c.what), std::string::npos) << c.text << "\n" << text;
  }
}

TEST(MachineYaml, a_cube_may_lack_a_port_and_the_pes_behind_it_are_named) {
  const MachineConfig m = read("cube: {ucie: {ports: {E: null}}}");
  EXPECT_FALSE(m.topology.east);
  EXPECT_THROW(fabric::build(m.topology), ConfigError);
}

TEST(MachineYaml, an_assignment_of_the_command_line_overrides_the_file) {
  ConfigOverlay overlay;
  overlay.add("profile=tiny");
  overlay.add("io.pcie_gbs=110");
  const MachineConfig m = load_machine("", overlay);
  EXPECT_EQ(m.topology.pes.size(), 4U);
  EXPECT_EQ(m.topology.pcie_bandwidth, Bandwidth::gb_per_s(110));
}

}  // namespace
}  // namespace tutti::device
