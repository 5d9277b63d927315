#pragma once
#include <string_view>
#include <vector>

#include "device/machine_spec.h"
#include "fabric/graph.h"
#include "fabric/path.h"

namespace tutti::device {

/// What of the hardware's cost may vary; the defaults are the point of ADR-0023 D21 (2 nm, 1 GHz). Areas in mm2 and
/// um2, times in ns, energies in pJ, power in mW.
struct HardwareParameters {
  int ports = 8;
  int pointer_bits = 64;
  int metadata_latches = 0;  ///< virtual channels that keep a message's metadata until its tail flit; 64 bits each
  double clock_ghz = 1.0;
  double um2_per_flip_flop = 0.434, um2_per_gate = 0.2;
  double um2_per_sram_bit = 0.021;  ///< receive rings
  double leakage_mw_per_mm2 = 5;    ///< an assumption: the ADR says "leakage only"
  double pj_per_operation = 1.0;    ///< a send, a receive, an arrival or a credit: at one a ns the ADR's 1 mW
  double wire_pj_per_bit_mm = 0.08, ucie_pj_per_bit = 0.5, pcie_pj_per_bit = 5.5, sram_pj_per_bit = 0.01;
};

/// A part of the hardware. `adr` is the figure that the ADR quotes for its default point, scaled by the same law as the
/// model's; `model` comes from one density for all gates. The two differ where the ADR rounds.
struct AreaRow {
  std::string_view part;
  double flip_flops, gates;
  double adr_mm2, model_mm2;
};
/// A path between registers.
struct TimingRow {
  std::string_view path;
  double delay_ns;
  int cycles;     ///< at the clock asked for, pipelined
  double margin;  ///< clock period / delay of one of its cycles
};
/// Where the energy of one message goes.
struct EnergyRow {
  std::string_view part;
  double pj;
};
struct HardwareCost {
  std::vector<AreaRow> area;  ///< register file, address and backpressure, metadata and credit, DMA; then others
  double adr_mm2 = 0, model_mm2 = 0;  ///< sums of the logic, without memory
  double flip_flops = 0, nand2 = 0;   ///< a flip-flop counts 6 (spec C25)
  std::uint64_t ring_bytes = 0;       ///< of the receive rings of all ports
  double ring_mm2 = 0;
  std::vector<TimingRow> timing;
  double active_mw = 0, idle_mw = 0;  ///< an operation each cycle; leakage only
};

/// Area, timing and power of the queues of one PE. Laws: register file ports x 9 x 64; address generators 5,000 gates a
/// eight ports, and 3,500 for a divider if n_slots is no power of two; comparators 3,000 a eight ports; DMA 2,000. A
/// message queue adds its engine (0.05 mm2), a completion queue its entries and registers, credit_in_data 8 B of
/// latches a port; a doorbell needs no controller. Delays grow with the logarithm of width and ports.
/// Source: ADR-0023 D17, D21, D23; spec 3.9, C14, C23, C25.
HardwareCost hardware_cost(const IpcqConfig& queues, const HardwareParameters& p = {});

/// Energy of a message of `bytes` with its credit of `credit_bytes` over `there` and `back`.
std::vector<EnergyRow> message_energy(const fabric::Graph& graph, const fabric::Path& there, const fabric::Path& back,
                                      std::uint64_t bytes, std::uint64_t credit_bytes,
                                      const HardwareParameters& p = {});

}  // namespace tutti::device
