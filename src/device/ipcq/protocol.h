#pragma once
#include "device/machine_spec.h"

namespace tutti::device {

/// What a protocol's commands cost the CPU and its queue.
struct ProtocolTimes {
  Time issue;   ///< of a send, until the DMA has it
  Time finish;  ///< of a receive, once the message is visible
  Time credit;  ///< making of a credit, before it travels
};
inline ProtocolTimes protocol_times(Protocol p, const MachineSpec& s) {
  const Time command = s.cpu.dispatch + s.cpu.mmio;
  switch (p) {
    case Protocol::doorbell:  // software reads the credit word, writes a DMA command; later it reads the doorbell word
      return {command + s.tcm.read, s.tcm.read, s.cpu.mmio + s.tcm.write};
    case Protocol::message_queue:  // a descriptor is two registers; a pop is one
      return {command + s.cpu.mmio + s.ipcq.send, s.cpu.mmio, s.ipcq.credit_gen};
    case Protocol::completion_queue:  // the engine fetches the work entry; the CPU reads the completion entry
      return {command + s.tcm.read + s.ipcq.send, s.tcm.read, s.ipcq.credit_gen};
    default:
      return {command + s.ipcq.send, s.ipcq.recv, s.ipcq.credit_gen};
  }
}

/// Bytes that a protocol adds to each message, and whether they are packets of their own.
inline constexpr std::uint32_t doorbell_bytes = 8, descriptor_bytes = 64, acknowledgement_bytes = 16;

/// The settings that a protocol implies: a doorbell is polled, and its credits are words written by the DMA; a message
/// queue has wires of its own, for credits too; credit_in_data is the IPCQ with piggybacked credits.
inline IpcqConfig effective(IpcqConfig c) {
  switch (c.protocol) {
    case Protocol::doorbell:
      c.backpressure = Backpressure::poll;
      c.credit_mode = CreditMode::vc_mux;
      c.credit_priority = false;
      c.credit_bytes = doorbell_bytes;
      break;
    case Protocol::message_queue:
      c.credit_mode = CreditMode::link;
      break;
    case Protocol::credit_in_data:
      c.credit_mode = CreditMode::piggyback;
      break;
    default:
      break;
  }
  return c;
}

}  // namespace tutti::device
