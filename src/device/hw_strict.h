#pragma once
#include <array>
#include <bit>
#include <string_view>

#include "base/error.h"
#include "device/ipcq/direction.h"
#include "device/machine_spec.h"

namespace tutti::device {

/// Registers of one port, 64 bits each, read and written by MMIO. Source: ADR-0023 D17.
inline constexpr std::array<std::string_view, 9> port_registers = {"my_head",         "my_tail",    "peer_head_cache",
                                                                   "peer_tail_cache", "rx_base_pa", "peer_rx_base_pa",
                                                                   "n_slots",         "slot_size",  "peer_credit_tgt"};
inline constexpr std::size_t register_file_bits = max_ports * port_registers.size() * 64;
static_assert(register_file_bits / 8 == 576);

/// Cycles of the IPCQ's combinational units at 1 GHz. Source: ADR-0023 D17, D21; spec C14 for the divider.
struct IpcqCycles {
  int backpressure = 1;  ///< 64-bit subtraction and comparison
  int slot_address = 2;  ///< mask and shift, then 64-bit addition
  int meta_extract = 1, credit_inject = 1, credit_receive = 1;
};
constexpr IpcqCycles ipcq_cycles(std::uint32_t n_slots) {
  IpcqCycles c;
  if (!std::has_single_bit(n_slots)) c.slot_address += 10;  // a divider instead of a mask
  return c;
}

/// The IPCQ's latencies as the hardware notes count them: a send checks and generates an address, a receive generates
/// an address.
constexpr MachineSpec::Ipcq hardware_latencies(std::uint32_t n_slots) {
  const IpcqCycles c = ipcq_cycles(n_slots);
  return {Time::ns(c.backpressure + c.slot_address), Time::ns(c.slot_address), Time::ns(c.meta_extract),
          Time::ns(c.credit_inject)};
}

/// @throws ModelError  n_slots is no power of two (D21), or slots are not whole granules of 64 B, which the 32-bit
/// address field of a flit counts (spec C22).
inline void check_hw_strict(const IpcqConfig& c) {
  if (!std::has_single_bit(c.n_slots)) throw ModelError("hw_strict: n_slots must be a power of two");
  if (c.slot_size % 64 != 0) throw ModelError("hw_strict: slot_size must be a multiple of 64 B");
}

}  // namespace tutti::device
