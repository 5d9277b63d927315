#include "device/machine_yaml.h"

#include "fabric/defaults.h"
#include "fabric/topology_yaml.h"

namespace tutti::device {

MachineSpec read_machine_spec(const ConfigMap& root) {
  MachineSpec s;
  root.map("system").number("ipcq_clock_ghz", 1.0, {.low = 0, .above = true});
  const auto memory = [](const ConfigMap& map, MachineSpec::Memory& m) {
    m.size = map.bytes("bytes", m.size, {.low = Bytes(64)});
    m.read = map.time("read_ns", m.read);
    m.write = map.time("write_ns", m.write);
  };
  memory(root.map("cube").map("sram"), s.sram);
  const ConfigMap hbm = root.map("cube").map("hbm");
  memory(hbm, s.hbm);
  hbm.bytes("burst_bytes", Bytes(256), {.low = Bytes(1)});

  const ConfigMap pe = root.map("pe");
  pe.number("clock_ghz", 1.0, {.low = 0, .above = true});
  const ConfigMap tcm = pe.map("tcm");
  memory(tcm, s.tcm);
  s.tcm_banks = static_cast<int>(tcm.integer("banks", s.tcm_banks, {.low = 1, .high = 1024}));
  s.tcm_bank_conflicts = tcm.boolean("bank_conflicts", s.tcm_bank_conflicts);
  tcm.integer("bank_bytes_per_cycle", 64, {.low = 1});
  s.tcm_port = tcm.bandwidth("port_gbs", s.tcm_port);
  const auto offset = [&s](const ConfigValue& value, Bytes fallback) {
    return Bytes(value.integer(fallback.count(), {.low = 0, .high = s.tcm.size.count()}));
  };
  const ConfigMap region = tcm.map("ipcq_region");
  s.ipcq_base = offset(region.at("base"), s.ipcq_base);
  s.ipcq_bytes = region.bytes("bytes", s.ipcq_bytes);
  if (s.ipcq_base + s.ipcq_bytes > s.tcm.size) region.fault("does not fit the TCM");
  s.scratch_base = offset(tcm.at("scratch_base"), s.scratch_base);

  const ConfigMap cpu = pe.map("cpu");
  s.cpu.mmio = cpu.time("mmio_ns", s.cpu.mmio);
  s.cpu.dispatch = cpu.time("dispatch_ns", s.cpu.dispatch);
  s.scheduler.overhead = pe.map("scheduler").time("overhead_ns", s.scheduler.overhead);
  pe.map("dma").bytes("read_buffer_bytes", Bytes(8192), {.low = Bytes(1)});
  pe.map("dma").integer("max_outstanding", 16, {.low = 1});
  const ConfigMap ipcq = pe.map("ipcq");
  s.ipcq.send = ipcq.time("send_ns", s.ipcq.send);
  s.ipcq.recv = ipcq.time("recv_ns", s.ipcq.recv);
  s.ipcq.meta = ipcq.time("meta_ns", s.ipcq.meta);
  s.ipcq.credit_gen = ipcq.time("credit_gen_ns", s.ipcq.credit_gen);
  ipcq.integer("max_ports", 8, {.low = 1, .high = 8});
  const ConfigMap math = pe.map("math");
  s.math.bandwidth = math.bandwidth("gbs", s.math.bandwidth);
  s.math.ops_per_ns = math.integer("ops_per_ns", s.math.ops_per_ns, {.low = 1});
  s.math.startup = math.time("startup_ns", s.math.startup);
  const ConfigMap gemm = pe.map("gemm");
  const auto tile = gemm.integers("tile", std::vector<std::int64_t>{32, 64, 32}, {.low = 1});
  if (tile.size() == 3)
    s.gemm.tile_m = tile[0], s.gemm.tile_k = tile[1], s.gemm.tile_n = tile[2];
  else
    gemm.at("tile").fault("expected [m, k, n]");
  s.gemm.macs_per_ns = gemm.integer("macs_per_ns", s.gemm.macs_per_ns, {.low = 1});
  s.gemm.startup = gemm.time("startup_ns", s.gemm.startup);
  const ConfigMap mmu = pe.map("mmu");
  s.mmu.page = mmu.bytes("page_bytes", s.mmu.page, {.low = Bytes(64)});
  if ((s.mmu.page.count() & (s.mmu.page.count() - 1)) != 0) mmu.at("page_bytes").fault("a power of two is needed");
  s.mmu.tlb_entries = static_cast<int>(mmu.integer("tlb_entries", s.mmu.tlb_entries, {.low = 1, .high = 1 << 20}));
  s.mmu.tlb_hit = mmu.time("tlb_hit_ns", s.mmu.tlb_hit);
  s.mmu.walk = mmu.time("walk_ns", s.mmu.walk);
  root.map("io").time("host_dram_ns", Time::ns(90));
  root.map("host").time("launch_ns", Time::ns(2000));
  root.map("host").time("doorbell_ns", Time::ns(500));
  return s;
}

MachineConfig read_machine(const ConfigMap& root) {
  MachineConfig m{fabric::read_topology(root), read_machine_spec(root), {}};
  m.fabric.chunk_bytes = m.topology.vc_chunk_bytes;
  m.fabric.routing = m.topology.routing;
  return m;
}

MachineConfig load_machine(const std::string& path, const ConfigOverlay& overlay) {
  const std::string defaults(fabric::default_file("topology.yaml").text);
  Config config = path.empty() ? Config::built_in(defaults, "topology.yaml") : Config::file(path);
  if (!path.empty()) config.add_defaults(defaults, "topology.yaml");
  config.apply(overlay);
  MachineConfig m = read_machine(config.root());
  config.finish();
  return m;
}

}  // namespace tutti::device
