#include "device/hardware_cost.h"

#include <bit>
#include <cmath>

namespace tutti::device {
namespace {

/// The ADR's own figures, at 8 ports (D21), and its message queue (D23).
constexpr double register_file_mm2 = 0.002, address_mm2 = 0.001, metadata_mm2 = 0.001, dma_mm2 = 0.002,
                 message_queue_mm2 = 0.05;

double levels(double n) { return std::max(1.0, std::log2(n)); }

}  // namespace

HardwareCost hardware_cost(const IpcqConfig& q, const HardwareParameters& p) {
  HardwareCost c;
  const double share = p.ports / 8.0, width = p.pointer_bits / 64.0;
  const bool divides = !std::has_single_bit(q.n_slots), controller = q.protocol != Protocol::doorbell;
  const auto add = [&](std::string_view part, double flip_flops, double gates, double adr) {
    const double model = (flip_flops * p.um2_per_flip_flop + gates * p.um2_per_gate) * 1e-6;
    c.area.push_back({part, flip_flops, gates, adr, model});
    c.adr_mm2 += adr, c.model_mm2 += model;
    c.flip_flops += flip_flops, c.nand2 += 6 * flip_flops + gates;
  };
  if (controller) {
    add("queue pair register file", p.ports * 9.0 * p.pointer_bits, 0, register_file_mm2 * share * width);
    add("slot address and backpressure", 0, 5000 * share * width, address_mm2 * share * width);
    if (divides) add("divider (n_slots is no power of two)", 0, 3500 * width, 3500 * width * p.um2_per_gate * 1e-6);
    add("metadata extractor and credit logic", 0, 3000 * share * width, metadata_mm2 * share * width);
  }
  add("DMA, channel of messages", 0, 2000, dma_mm2);
  if (p.metadata_latches > 0) {
    const double bits = 64.0 * p.metadata_latches;
    add("metadata latches until the tail flit", bits, 0, bits * p.um2_per_flip_flop * 1e-6);
  }
  switch (q.protocol) {
    case Protocol::message_queue:
      add("message queue engine", 0, message_queue_mm2 / (p.um2_per_gate * 1e-6), message_queue_mm2);
      break;
    case Protocol::completion_queue: {
      const double bits = p.ports * 4.0 * 64;  // base, size, producer, consumer
      add("completion queue registers", bits, 1500 * share,
          (bits * p.um2_per_flip_flop + 1500 * share * p.um2_per_gate) * 1e-6);
      break;
    }
    case Protocol::credit_in_data: {
      const double bits = p.ports * 64.0;
      add("acknowledgements held for data", bits, 500 * share,
          (bits * p.um2_per_flip_flop + 500 * share * p.um2_per_gate) * 1e-6);
      break;
    }
    default:
      break;
  }
  const std::uint64_t entry = q.protocol == Protocol::completion_queue || q.protocol == Protocol::message_queue ? 64
                              : q.protocol == Protocol::doorbell                                                ? 8
                                                                                                                : 0;
  c.ring_bytes = static_cast<std::uint64_t>(p.ports) * q.n_slots * (std::uint64_t{q.slot_size} + entry);
  c.ring_mm2 = static_cast<double>(c.ring_bytes) * 8 * p.um2_per_sram_bit * 1e-6;

  const double period = 1 / p.clock_ghz;
  const auto path = [&](std::string_view name, double delay, int more_cycles = 0) {
    const int cycles = std::max(1, static_cast<int>(std::ceil(delay / period - 1e-9)));
    c.timing.push_back({name, delay, cycles + more_cycles, period * cycles / delay});
  };
  if (controller) {
    const double carry = 0.3 * levels(p.pointer_bits) / 6, select = 0.1 * levels(p.ports) / 3;
    path("backpressure: subtract, compare", carry);
    path("slot address: mask, shift, add", carry + 0.2 * levels(p.pointer_bits) / 6, divides ? 10 : 0);
    path("metadata: range matches, select", carry + select);
    path("credit: equality matches, select", 0.2 * levels(p.pointer_bits) / 6 + select);
  }
  c.active_mw = p.pj_per_operation * p.clock_ghz * width;
  c.idle_mw = p.leakage_mw_per_mm2 * c.adr_mm2;
  return c;
}

std::vector<EnergyRow> message_energy(const fabric::Graph& graph, const fabric::Path& there, const fabric::Path& back,
                                      std::uint64_t bytes, std::uint64_t credit_bytes, const HardwareParameters& p) {
  double wires = 0, ucie = 0, pcie = 0;
  const auto travel = [&](const fabric::Path& way, std::uint64_t n) {
    const double bits = 8.0 * static_cast<double>(n);
    for (const auto& hop : way.hops) {
      const fabric::Link& link = graph.links()[hop.link];
      if (link.kind == "pcie")
        pcie += bits * p.pcie_pj_per_bit / 2;  // two links, by a switch, are one crossing
      else if (graph.nodes()[link.source].kind == "ucie" && graph.nodes()[link.destination].kind == "ucie")
        ucie += bits * p.ucie_pj_per_bit;
      else
        wires += bits * link.distance_mm * p.wire_pj_per_bit_mm;
    }
  };
  travel(there, bytes);
  travel(back, credit_bytes);
  return {{"queues: send, arrival, receive, credit", 4 * p.pj_per_operation},
          {"memory: read of the source, write and read of the slot",
           3 * 8.0 * static_cast<double>(bytes) * p.sram_pj_per_bit},
          {"wires on the die", wires},
          {"UCIe", ucie},
          {"PCIe", pcie}};
}

}  // namespace tutti::device
