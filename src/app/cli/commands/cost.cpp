#include <cstdio>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/version.h"
#include "device/design_space.h"
#include "device/machine_yaml.h"
#include "fabric/defaults.h"
#include "host/group_plan.h"

namespace tutti::app {
namespace {

using device::HardwareCost;

struct Cost {
  static constexpr std::string_view name = "cost",
                                    summary = "hardware cost of queues: area, timing, power, energy, alternatives";
  static CommandText text() {
    return {
        "Estimates what the queues of ccl.yaml cost in silicon, at 2 nm: the table of ADR-0023 D21 at its default "
        "point, "
        "by laws that follow ports, width, slots and protocol. Column \"ADR\" rounds as the ADR does, column \"model\" "
        "has one density for all gates. --alternatives measures the protocols that the ADR rejects beside the IPCQ; "
        "--slots what n_slots do to the rate of a queue pair; --pareto which choices of protocol, n_slots and "
        "slot_size "
        "nothing beats in time, area and memory at once.",
        {{"tutti cost", "area, timing, power and energy at the point of the ADR"},
         {"tutti cost --alternatives", "doorbells, message queues, completion queues and credits in data, measured"},
         {"tutti cost --pareto --message 256KiB", "time against area against memory"},
         {"tutti cost --set defaults.n_slots=11 --json -", "a divider instead of a mask, as JSON"}}};
  }
  std::string topology, ccl;
  std::vector<std::string> set;
  std::uint64_t ports = 8, bits = 64, latches = 0;
  double clock = 1.0;
  bool alternatives = false, pareto = false, slots = false, all = false;
  Bytes message = Bytes(64 << 10);
  ResultOutput output;

  void declare(Options& o) {
    o.value({"--ccl"}, ccl, {"ccl.yaml (tutti config ccl)", "FILE"});
    o.value({"--topology"}, topology, {"topology.yaml; at least two SIPs are taken", "FILE"});
    o.value({"--set"}, set, {"path.to.key=value of either file; may be repeated", "ASSIGNMENT"});
    o.value({"--ports"}, ports, 1, 64, {"queue pairs of a PE", "N"});
    o.value({"--pointer-bits"}, bits, 8, 64, {"width of a register", "N"});
    o.value({"--metadata-latches"}, latches, 0, 64, {"virtual channels that keep metadata until the tail flit", "N"});
    o.value({"--clock-ghz"}, clock, {"of the PE", "X"});
    o.flag({"--alternatives"}, alternatives, {"measure the protocols of ADR-0023 D23"});
    o.flag({"--slots"}, slots, {"measure the rate of a queue pair by n_slots, beside the prediction"});
    o.flag({"--pareto"}, pareto, {"search protocol, n_slots and slot_size for --message"});
    o.flag({"--all-points"}, all, {"with --pareto: points that others beat, too"});
    o.value({"--message"}, message, {"bytes that --pareto moves", "SIZE"});
    output.declare(o);
  }

  fabric::Topology machine;
  device::MachineSpec spec;
  device::IpcqConfig queues;
  std::vector<Setting> inputs;
  device::HardwareParameters hardware;

  void prepare() {
    if (!(clock > 0 && clock <= 100)) throw ConfigError("error: --clock-ghz: a number above 0, at most 100, is needed");
    if (message < Bytes(1) || message > Bytes(16 << 20))
      throw ConfigError("error: --message: 1 B to 16 MiB are possible");
    ConfigOverlay overlay;
    for (const std::string& s : set) overlay.add(s);
    const std::string defaults(fabric::default_file("topology.yaml").text);
    Config config = topology.empty() ? Config::built_in(defaults, "topology.yaml") : Config::file(topology);
    if (!topology.empty()) config.add_defaults(defaults, "topology.yaml");
    config.apply(overlay);
    device::MachineConfig m = device::read_machine(config.root());
    config.finish();
    inputs = config.settings();
    const ccl::CclConfig c = ccl::read_ccl_config(ccl, overlay);
    overlay.finish();
    inputs.insert(inputs.end(), c.settings.begin(), c.settings.end());
    machine = m.topology, spec = m.spec, queues = host::queue_config(c.queue);
    machine.sips = std::max(machine.sips, 2);
    hardware.ports = static_cast<int>(ports), hardware.pointer_bits = static_cast<int>(bits);
    hardware.metadata_latches = static_cast<int>(latches), hardware.clock_ghz = clock;
  }

  struct Energy {
    device::Pair pair;
    std::vector<device::EnergyRow> rows;
    double total = 0;
  };
  std::vector<Energy> energies() const {
    std::unique_ptr<device::Machine> holder;
    sim::Simulation simulation;
    holder = std::make_unique<device::Machine>(simulation, machine, spec);
    std::vector<Energy> all_energies;
    for (const device::Pair& pair : device::distances(machine)) {
      const auto a = holder->pe(pair.from).node(), b = holder->pe(pair.to).node();
      const auto& fabric = holder->fabric();
      Energy e{pair,
               device::message_energy(fabric.graph(), fabric.path(a, b), fabric.path(b, a), queues.slot_size,
                                      queues.credit_bytes, hardware),
               0};
      for (const auto& row : e.rows) e.total += row.pj;
      all_energies.push_back(std::move(e));
    }
    return all_energies;
  }

  int run(const Context&) {
    prepare();
    const HardwareCost cost = device::hardware_cost(queues, hardware);
    const auto energy = energies();
    const auto rows =
        alternatives ? device::compare_protocols(machine, spec, queues, hardware) : std::vector<device::ProtocolRow>();
    const auto far = device::distances(machine).back();
    const auto rates = slots
                           ? device::slots_against_rate(machine, spec, queues, far, {1, 2, 4, 6, 8, 9, 10, 11, 12, 16})
                           : std::vector<device::SlotRow>();
    auto points =
        pareto ? device::design_space(machine, spec, queues, hardware, far, static_cast<std::uint64_t>(message.count()))
               : std::vector<device::DesignPoint>();
    if (!all) std::erase_if(points, [](const device::DesignPoint& p) { return !p.front; });
    output.deliver(json(cost, energy, rows, rates, points));
    if (!output.on_stdout()) print(cost, energy, rows, rates, points);
    return 0;
  }

  void print(const HardwareCost& c, const std::vector<Energy>& energy, const std::vector<device::ProtocolRow>& rows,
             const std::vector<device::SlotRow>& rates, const std::vector<device::DesignPoint>& points) const {
    Table area({"area of one PE's queues", ">flip-flops", ">gates", ">ADR mm2", ">model mm2"});
    for (const auto& r : c.area)
      area.add({std::string(r.part), fmt::format("{:.0f}", r.flip_flops), fmt::format("{:.0f}", r.gates),
                fmt::format("{:.4f}", r.adr_mm2), fmt::format("{:.4f}", r.model_mm2)});
    area.add({"all logic", fmt::format("{:.0f}", c.flip_flops), "", fmt::format("{:.4f}", c.adr_mm2),
              fmt::format("{:.4f}", c.model_mm2)});
    fmt::print("{}NAND2 equivalents {:.0f}; receive rings {} B of TCM, {:.4f} mm2 of SRAM\n\n", area.text(), c.nand2,
               c.ring_bytes, c.ring_mm2);
    if (!c.timing.empty()) {
      Table timing({"path between registers", ">ns", ">cycles", ">margin"});
      for (const auto& r : c.timing)
        timing.add({std::string(r.path), fmt::format("{:.2f}", r.delay_ns), std::to_string(r.cycles),
                    fmt::format("{:.1f}x", r.margin)});
      fmt::print("{}\n", timing.text());
    }
    fmt::print("power: {:.2f} mW at an operation each cycle, {:.3f} mW at rest (leakage, assumed)\n\n", c.active_mw,
               c.idle_mw);
    std::vector<std::string> heads = {fmt::format("energy of a message of {} B", queues.slot_size)};
    for (const Energy& e : energy) heads.push_back(fmt::format(">{}, pJ", e.pair.distance));
    Table table(heads);
    for (std::size_t i = 0; i < energy.front().rows.size(); ++i) {
      std::vector<std::string> line = {std::string(energy.front().rows[i].part)};
      for (const Energy& e : energy) line.push_back(fmt::format("{:.0f}", e.rows[i].pj));
      table.add(line);
    }
    std::vector<std::string> sum = {"all"};
    for (const Energy& e : energy) sum.push_back(fmt::format("{:.0f}", e.total));
    table.add(sum);
    fmt::print("{}", table.text());
    if (!rows.empty()) {
      Table t({"distance", "protocol", ">64 B ns", ">times", ">GB/s", ">packets", ">bytes", ">mm2", ">rings B"});
      for (const auto& r : rows)
        t.add({std::string(r.pair.distance), std::string(device::name(r.protocol)), to_ns(r.latency),
               fmt::format("{:.2f}", r.times), fmt::format("{:.1f}", r.gbs), fmt::format("{:.2f}", r.packets),
               fmt::format("{:.0f}", r.bytes), fmt::format("{:.3f}", r.mm2), std::to_string(r.ring_bytes)});
      fmt::print("\nalternatives of ADR-0023 D23; packets and bytes: a 64 B message of an exchange both ways\n{}",
                 t.text());
    }
    if (!rates.empty()) {
      Table t({">n_slots", ">predicted GB/s", ">measured GB/s"});
      for (const auto& r : rates)
        t.add(
            {std::to_string(r.n_slots), fmt::format("{:.1f}", r.predicted_gbs), fmt::format("{:.1f}", r.measured_gbs)});
      fmt::print("\nrate of one queue pair, {}, slots of {} B, credits posted\n{}",
                 device::distances(machine).back().distance, queues.slot_size, t.text());
    }
    if (!points.empty()) {
      Table t({"protocol", ">n_slots", ">slot B", ">ns", ">mm2", ">rings B", ""});
      for (const auto& p : points)
        t.add({std::string(device::name(p.protocol)), std::to_string(p.n_slots), std::to_string(p.slot_size),
               to_ns(p.time), fmt::format("{:.4f}", p.mm2), std::to_string(p.ring_bytes), p.front ? "front" : ""});
      fmt::print("\ntime x area x TCM of {} moved {}: what nothing beats\n{}", to_string(message),
                 device::distances(machine).back().distance, t.text());
    }
  }

  std::string json(const HardwareCost& c, const std::vector<Energy>& energy,
                   const std::vector<device::ProtocolRow>& rows, const std::vector<device::SlotRow>& rates,
                   const std::vector<device::DesignPoint>& points) const {
    JsonWriter j;
    j.begin_object().field("schema", 1).field("tool", "tutti").field("version", version);
    j.field("command", "cost").field("status", "completed");
    write_inputs(j, inputs);
    j.key("area").begin_array();
    for (const auto& r : c.area)
      j.begin_object()
          .field("part", r.part)
          .field("flip_flops", r.flip_flops)
          .field("gates", r.gates)
          .field("adr_mm2", r.adr_mm2)
          .field("model_mm2", r.model_mm2)
          .end_object();
    j.end_array();
    j.key("total")
        .begin_object()
        .field("flip_flops", c.flip_flops)
        .field("nand2", c.nand2)
        .field("adr_mm2", c.adr_mm2)
        .field("model_mm2", c.model_mm2)
        .field("ring_bytes", c.ring_bytes)
        .field("ring_mm2", c.ring_mm2)
        .end_object();
    j.key("timing").begin_array();
    for (const auto& r : c.timing)
      j.begin_object()
          .field("path", r.path)
          .field("delay_ns", r.delay_ns)
          .field("cycles", r.cycles)
          .field("margin", r.margin)
          .end_object();
    j.end_array();
    j.key("power").begin_object().field("active_mw", c.active_mw).field("idle_mw", c.idle_mw).end_object();
    j.key("energy").begin_array();
    for (const Energy& e : energy) {
      j.begin_object().field("distance", e.pair.distance).field("bytes", queues.slot_size).field("pj", e.total);
      j.key("parts").begin_object();
      for (const auto& row : e.rows) j.field(row.part, row.pj);
      j.end_object().end_object();
    }
    j.end_array();
    if (!rows.empty()) {
      j.key("alternatives").begin_array();
      for (const auto& r : rows)
        j.begin_object()
            .field("distance", r.pair.distance)
            .field("protocol", device::name(r.protocol))
            .field("latency_ns", r.latency)
            .field("times", r.times)
            .field("gbs", r.gbs)
            .field("packets", r.packets)
            .field("bytes", r.bytes)
            .field("mm2", r.mm2)
            .field("ring_bytes", r.ring_bytes)
            .end_object();
      j.end_array();
    }
    if (!rates.empty()) {
      j.key("slots").begin_array();
      for (const auto& r : rates)
        j.begin_object()
            .field("n_slots", r.n_slots)
            .field("predicted_gbs", r.predicted_gbs)
            .field("measured_gbs", r.measured_gbs)
            .end_object();
      j.end_array();
    }
    if (!points.empty()) {
      j.key("pareto").begin_array();
      for (const auto& p : points)
        j.begin_object()
            .field("protocol", device::name(p.protocol))
            .field("n_slots", p.n_slots)
            .field("slot_size", p.slot_size)
            .field("time_ns", p.time)
            .field("mm2", p.mm2)
            .field("ring_bytes", p.ring_bytes)
            .field("front", p.front)
            .end_object();
      j.end_array();
    }
    j.end_object();
    return j.take();
  }
};

}  // namespace

Command cost_command() { return make_command<Cost>(); }

}  // namespace tutti::app
