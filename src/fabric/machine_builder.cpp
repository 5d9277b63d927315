#include "fabric/machine_builder.h"

namespace tutti::fabric {
namespace {

std::string sip_path(int sip) { return "sip" + std::to_string(sip); }

}  // namespace

/// `place.up` of no_id: the node is an anchor.
NodeId MachineBuilder::add(std::string path, const char* kind, Time overhead, Layout::Place place) {
  const NodeId id = g_.add_node(std::move(path), kind, overhead);
  if (place.up == no_id) place.up = id;
  layout_->places.push_back(place);
  return id;
}

void MachineBuilder::add_cube(int sip, int c) {
  Layout::Cube& cube = layout_->cubes.emplace_back();
  const std::string path = sip_path(sip) + ".cube" + std::to_string(c) + ".";
  for (int r = 0; r < t_.rows; ++r)
    for (int k = 0; k < t_.columns; ++k) {
      const int index = r * t_.columns + k;
      const NodeId n = add(path + "r" + std::to_string(r) + "_" + std::to_string(k), "router", t_.router,
                           {no_id, sip, c, index, -1});
      cube.routers.push_back(n);
      const auto join = [&](int other) {
        g_.connect(cube.routers[static_cast<std::size_t>(other)], n, "noc", t_.noc_bandwidth, t_.hop_mm, t_.ns_per_mm);
      };
      if (k > 0) join(index - 1);
      if (r > 0) join(index - t_.columns);
    }
  const auto attach = [&](const std::string& name, const char* kind, Time overhead, Position at, Bandwidth bandwidth) {
    const int router = at.first * t_.columns + at.second;
    const NodeId up = cube.routers[static_cast<std::size_t>(router)];
    const NodeId n = add(path + name, kind, overhead, {up, sip, c, router, -1});
    g_.connect(n, up, kind, bandwidth, 0.0, t_.ns_per_mm);
    return n;
  };
  for (std::size_t i = 0; i < t_.pes.size(); ++i) {
    const std::string pe = "pe" + std::to_string(i);
    cube.pes.push_back(attach(pe + ".pe_dma", "pe_dma", t_.dma, t_.pes[i], t_.noc_bandwidth));
    attach(pe + ".cpu", "pe_cpu", t_.cpu, t_.pes[i], t_.noc_bandwidth);
  }
  for (int i = 0; i < t_.hbm_slices; ++i)
    attach("hbm" + std::to_string(i), "hbm", Time(), t_.pes[static_cast<std::size_t>(i) % t_.pes.size()],
           t_.hbm_slice_bandwidth);
  const std::pair<const char*, const std::optional<Position>*> ports[] = {
      {"ucie_N", &t_.north}, {"ucie_S", &t_.south}, {"ucie_W", &t_.west}, {"ucie_E", &t_.east}};
  for (std::size_t side = 0; side < 4; ++side) {
    const auto& [name, at] = ports[side];
    if (!*at) continue;
    cube.ports[side] = attach(name, "ucie", t_.ucie, **at, t_.ucie_bandwidth);
    cube.port_router[side] = (*at)->first * t_.columns + (*at)->second;
  }
  attach("sram", "sram", Time(), t_.sram, t_.sram_bandwidth);
  attach("m_cpu", "m_cpu", t_.m_cpu_overhead, t_.m_cpu, t_.noc_bandwidth);
}

void MachineBuilder::join_cubes(int sip) {
  const auto join = [&](int a, Side side, int b, double distance) {
    const NodeId from = layout_->cube(sip, a).ports[static_cast<std::size_t>(side)];
    const NodeId to = layout_->cube(sip, b).ports[static_cast<std::size_t>(opposite(side))];
    if (from != no_id && to != no_id) g_.connect(from, to, "ucie", t_.ucie_bandwidth, distance, t_.ns_per_mm);
  };
  const int columns = t_.cube_columns;
  for (int r = 0; r < t_.cube_rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int at = r * columns + c;
      if (c > 0) join(at - 1, Side::east, at, t_.cube_pitch_mm - t_.hop_mm * (t_.columns - 1));
      if (r > 0) join(at - columns, Side::south, at, t_.cube_pitch_mm - t_.hop_mm * (t_.rows - 1));
      if (!t_.cube_wrap) continue;
      if (columns > 2 && c == columns - 1) join(at, Side::east, r * columns, t_.cube_pitch_mm * (columns - 1));
      if (t_.cube_rows > 2 && r == t_.cube_rows - 1) join(at, Side::south, c, t_.cube_pitch_mm * (t_.cube_rows - 1));
    }
}

void MachineBuilder::add_io(int sip, int chiplet) {
  const IoChiplet& spec = t_.io_chiplets[static_cast<std::size_t>(chiplet)];
  Layout::Io io;
  io.cube = spec.at_cube.first * t_.cube_columns + spec.at_cube.second;
  io.side = spec.side;
  const std::string path = sip_path(sip) + ".io" + std::to_string(chiplet) + ".";
  io.noc = add(path + "io_noc", "io_noc", t_.io_noc, {no_id, sip, -1, -1, chiplet});
  io.port = add(path + "ucie", "ucie", t_.ucie, {io.noc, sip, -1, -1, chiplet});
  io.cpu = add(path + "io_cpu", "io_cpu", t_.io_cpu, {io.noc, sip, -1, -1, chiplet});
  io.endpoint = add(path + "pcie_ep", "pcie_ep", t_.pcie_endpoint, {no_id, -1, -1, -1, chiplet});
  const NodeId cube = layout_->cube(sip, io.cube).ports[static_cast<std::size_t>(io.side)];
  if (cube != no_id) g_.connect(cube, io.port, "ucie", t_.ucie_bandwidth, 0.0, t_.ns_per_mm);
  g_.connect(io.port, io.noc, "io", t_.ucie_bandwidth, 0.0, t_.ns_per_mm);
  g_.connect(io.cpu, io.noc, "io", t_.ucie_bandwidth, 0.0, t_.ns_per_mm);
  g_.connect(io.noc, io.endpoint, "io", t_.pcie_bandwidth, 0.0, t_.ns_per_mm);
  layout_->ios.push_back(io);
}

void MachineBuilder::join_sips(int chiplet) {
  const auto sips = static_cast<std::size_t>(t_.sips);
  const std::string path = "pcie" + std::to_string(chiplet) + ".switch";
  layout_->switches.resize(layout_->switches.size() + sips * sips, no_id);
  NodeId* const between = &layout_->switches[static_cast<std::size_t>(chiplet) * sips * sips];
  const auto wire = [&](int sip, NodeId to) {
    g_.connect(layout_->io(sip, chiplet).endpoint, to, "pcie", t_.pcie_bandwidth, t_.board_mm, t_.board_ns_per_mm);
  };
  NodeId first = no_id;
  const auto edges = kind_.edges(grid_);
  if (edges.empty()) {
    first = add(path, "pcie_switch", t_.pcie_switch, {no_id, -1, -1, -1, chiplet});
    for (int s = 0; s < t_.sips; ++s) wire(s, first);
    for (std::size_t i = 0; i < sips * sips; ++i) between[i] = first;
  }
  for (const auto& [a, b] : edges) {
    const NodeId n = add(path + std::to_string(a) + "_" + std::to_string(b), "pcie_switch", t_.pcie_switch,
                         {no_id, -1, -1, -1, chiplet});
    wire(a, n);
    wire(b, n);
    between[static_cast<std::size_t>(a) * sips + static_cast<std::size_t>(b)] = n;
    between[static_cast<std::size_t>(b) * sips + static_cast<std::size_t>(a)] = n;
    if (first == no_id) first = n;
  }
  if (chiplet == 0) g_.connect(layout_->host, first, "pcie", t_.pcie_bandwidth, 0.0, t_.board_ns_per_mm);
}

Graph MachineBuilder::build() {
  Layout& l = *layout_;
  l.sips = t_.sips;
  l.cube_rows = t_.cube_rows;
  l.cube_columns = t_.cube_columns;
  l.rows = t_.rows;
  l.columns = t_.columns;
  l.wrap = t_.cube_wrap;
  l.chiplets = static_cast<int>(t_.io_chiplets.size());
  for (int s = 0; s < t_.sips; ++s) {
    for (int c = 0; c < l.cubes_of_sip(); ++c) add_cube(s, c);
    join_cubes(s);
    for (int k = 0; k < l.chiplets; ++k) add_io(s, k);
  }
  l.next_sip.resize(static_cast<std::size_t>(t_.sips) * static_cast<std::size_t>(t_.sips), 0);
  for (int a = 0; a < t_.sips; ++a)
    for (int b = 0; b < t_.sips; ++b)
      if (a != b) l.next_sip[static_cast<std::size_t>(a * t_.sips + b)] = kind_.next(grid_, a, b);
  if (l.chiplets > 0) l.host = add("host", "host", Time(), {});
  for (int k = 0; k < l.chiplets; ++k) join_sips(k);
  g_.set_layout(layout_);
  return std::move(g_);
}

}  // namespace tutti::fabric
