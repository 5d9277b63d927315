#include "fabric/topology_yaml.h"

#include <set>

#include "fabric/route_policy.h"
#include "fabric/sip_topology.h"

namespace tutti::fabric {
namespace {

constexpr Choice<Side> sides[] = {{"N", Side::north}, {"S", Side::south}, {"W", Side::west}, {"E", Side::east}};

std::string brackets(Position p) { return "[" + std::to_string(p.first) + ", " + std::to_string(p.second) + "]"; }

/// [row, column] within rows x columns.
Position read_position(const ConfigValue& value, int rows, int columns, const char* of) {
  const std::vector<ConfigValue> two = value.list();
  if (two.size() != 2) {
    if (value.is_list()) value.fault("expected [row, column]");
    return {0, 0};
  }
  const Position p{static_cast<int>(two[0].integer({}, {.low = 0, .high = 4096})),
                   static_cast<int>(two[1].integer({}, {.low = 0, .high = 4096}))};
  if (p.first >= rows || p.second >= columns)
    value.fault(brackets(p) + " is off the " + std::to_string(rows) + " x " + std::to_string(columns) + " " + of);
  return p;
}

int small(const ConfigValue& value, int fallback, int most) {
  if (!value.given()) return fallback;
  return static_cast<int>(value.integer({}, {.low = 1, .high = most}));
}

/// Sizes that a profile gives.
struct Profile {
  int sips = 1, rows = 4, columns = 4, pes = 8;
};

Profile read_profile(const ConfigMap& root) {
  Profile chosen;
  const std::string name = root.text("profile", "small");
  std::vector<std::string> known;
  bool found = false;
  for (const auto& [key, value] : root.map("profiles").entries()) {
    known.push_back(key);
    const ConfigMap map = value.map();
    Profile p;
    p.sips = small(map.at("sips"), 1, 16);
    const auto cubes = map.integers("cubes", std::vector<std::int64_t>{4, 4}, {.low = 1, .high = 16});
    if (cubes.size() != 2 || cubes[0] * cubes[1] > 16)
      map.at("cubes").fault("expected [rows, columns] of at most 16 cubes");
    else
      p.rows = static_cast<int>(cubes[0]), p.columns = static_cast<int>(cubes[1]);
    p.pes = small(map.at("pes"), 8, 32);
    if (key == name) chosen = p, found = true;
  }
  if (!found && !known.empty()) root.one_of("profile", known, "small");
  return chosen;
}

void read_pes(const ConfigMap& layout, int profile_pes, Topology& t) {
  const std::vector<ConfigValue> at = layout.list("at");
  std::set<Position> taken;
  std::vector<Position> all;
  for (const ConfigValue& value : at) {
    all.push_back(read_position(value, t.rows, t.columns, "mesh"));
    if (!taken.insert(all.back()).second) value.fault("two PEs at " + brackets(all.back()));
  }
  const ConfigValue count = layout.at("count");
  const int pes = small(count, profile_pes, 32);
  if (static_cast<std::size_t>(pes) > all.size() && !at.empty()) {
    (count.given() ? count : layout.at("at"))
        .fault(std::to_string(pes) + " PEs need as many places in pe_layout.at, not " + std::to_string(all.size()));
    return;
  }
  all.resize(static_cast<std::size_t>(pes));
  if (!at.empty()) t.pes = all;
}

void read_cube(const ConfigMap& cube, int profile_pes, Topology& t) {
  const ConfigMap noc = cube.map("noc");
  t.rows = small(noc.at("h"), 4, 64);
  t.columns = small(noc.at("w"), 4, 64);
  std::vector<std::string> routings = route_policies().names();
  routings.emplace_back("xy");
  t.routing = noc.one_of("routing", routings, "xy");
  if (t.routing == "xy") t.routing = "dimension_order";
  noc.number("clock_ghz", 2.0, {.low = 0, .above = true});
  t.flit_bytes = small(noc.at("flit_bytes"), 64, 4096);
  t.noc_bandwidth = noc.bandwidth("link_gbs", t.noc_bandwidth);
  t.router = noc.time("router_ns", t.router);
  t.hop_mm = noc.number("hop_mm", t.hop_mm, {.low = 0});
  t.vcs = noc.texts("vcs", t.vcs);
  if (t.vcs.empty() || t.vcs.size() > 4) noc.at("vcs").fault("expected 1 to 4 virtual channels");
  noc.integer("vc_buffer_flits", 8, {.low = 1});
  read_pes(cube.map("pe_layout"), profile_pes, t);

  const ConfigMap ucie = cube.map("ucie");
  const ConfigMap ports = ucie.map("ports");
  const auto port = [&](const char* key, std::optional<Position>& at) {
    const ConfigValue value = ports.at(key);
    if (value.is_null())
      at.reset();
    else if (value.present())
      at = read_position(value, t.rows, t.columns, "mesh");
  };
  port("N", t.north);
  port("S", t.south);
  port("W", t.west);
  port("E", t.east);
  t.ucie_bandwidth = ucie.bandwidth("gbs", t.ucie_bandwidth);
  t.ucie = ucie.time("port_overhead_ns", t.ucie);

  const ConfigMap m_cpu = cube.map("m_cpu");
  t.m_cpu = read_position(m_cpu.at("router"), t.rows, t.columns, "mesh");
  t.m_cpu_overhead = m_cpu.time("overhead_ns", t.m_cpu_overhead);
  t.sram = read_position(cube.map("sram").at("router"), t.rows, t.columns, "mesh");
  t.sram_bandwidth = cube.map("sram").bandwidth("gbs", t.sram_bandwidth);
  const ConfigMap hbm = cube.map("hbm");
  t.hbm_slices = small(hbm.at("slices"), 8, 64);
  const auto channels = hbm.integer("pc_per_slice", 8, {.low = 1, .high = 256});
  const Bandwidth channel = hbm.bandwidth("pc_gbs", Bandwidth::gb_per_s(32));
  const double efficiency = hbm.number("efficiency", 0.8, {.low = 0, .high = 1, .above = true});
  t.hbm_slice_bandwidth = Bandwidth::bits_per_second(std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(channel.bits_per_second() * channels) * efficiency + 0.5)));
}

void read_io_chiplets(const ConfigMap& sip, Topology& t) {
  t.io_chiplets.clear();
  for (const ConfigValue& value : sip.list("io_chiplets")) {
    const ConfigMap one = value.map();
    IoChiplet io;
    io.side = one.choice("side", sides, Side::west);
    io.at_cube = read_position(one.at("at_cube"), t.cube_rows, t.cube_columns, "cubes");
    one.map("pcie").integer("gen", 5, {.low = 1, .high = 7});
    one.map("pcie").integer("lanes", 16, {.low = 1, .high = 32});
    if (t.io_chiplets.size() == 5) value.fault("a SIP has at most 5 IO chiplets");
    t.io_chiplets.push_back(io);
  }
}

}  // namespace

Topology read_topology(const ConfigMap& root) {
  Topology t;
  root.integer("version", 1, {.low = 1, .high = 1});
  const Profile profile = read_profile(root);
  const ConfigMap system = root.map("system");
  const ConfigMap sips = system.map("sips");
  t.sips = small(sips.at("count"), profile.sips, 16);
  t.sip_topology = sips.one_of("topology", sip_topologies().names(), t.sip_topology);
  t.sip_columns = small(sips.at("w"), 0, 16);
  t.sip_rows = small(sips.at("h"), 0, 16);
  if ((t.sip_columns != 0 || t.sip_rows != 0) && t.sip_columns * t.sip_rows != t.sips)
    sips.fault("w x h is not the number of SIPs, " + std::to_string(t.sips));
  t.ns_per_mm = system.number("ns_per_mm", t.ns_per_mm, {.low = 0, .high = 1000});
  t.board_ns_per_mm = system.number("board_ns_per_mm", t.board_ns_per_mm, {.low = 0, .high = 1000});

  const ConfigMap mesh = root.map("sip").map("cube_mesh");
  t.cube_rows = small(mesh.at("h"), profile.rows, 16);
  t.cube_columns = small(mesh.at("w"), profile.columns, 16);
  if (t.cube_rows * t.cube_columns > 16) mesh.fault("a SIP has at most 16 cubes");
  t.cube_pitch_mm = mesh.number("pitch_mm", t.cube_pitch_mm, {.low = 0, .high = 1e6});
  t.cube_wrap = mesh.boolean("wrap", t.cube_wrap);
  read_cube(root.map("cube"), profile.pes, t);
  if (t.cube_pitch_mm < t.hop_mm * (std::max(t.rows, t.columns) - 1))
    mesh.at("pitch_mm").fault("the routers of a cube do not fit this pitch");
  read_io_chiplets(root.map("sip"), t);

  t.dma = root.map("pe").map("dma").time("overhead_ns", t.dma);
  t.vc_chunk_bytes = static_cast<std::uint64_t>(
      root.map("pe").map("dma").bytes("vc_chunk_bytes", Bytes(256), {.low = Bytes(1), .high = Bytes(1 << 30)}).count());
  t.cpu = root.map("pe").map("cpu").time("dispatch_ns", t.cpu);
  const ConfigMap io = root.map("io");
  t.io_noc = io.time("noc_ns", t.io_noc);
  t.io_cpu = io.time("io_cpu_ns", t.io_cpu);
  t.pcie_endpoint = io.time("pcie_ep_ns", t.pcie_endpoint);
  t.pcie_bandwidth = io.bandwidth("pcie_gbs", t.pcie_bandwidth);
  t.pcie_switch = io.time("pcie_switch_ns", t.pcie_switch);
  t.board_mm = io.number("board_mm", t.board_mm, {.low = 0, .high = 1e6});
  return t;
}

}  // namespace tutti::fabric
