#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "device/ipcq/direction.h"

namespace tutti::device {

enum class BufferKind : std::uint8_t { tcm, hbm, sram };
enum class Backpressure : std::uint8_t { poll, sleep };
enum class RecvMode : std::uint8_t { return_slot, copy_to_dst };

/// Where a peer's receive ring lies. Source: ADR-0023 D2.5.
struct IpcqEndpoint {
  std::uint32_t sip = 0, cube = 0, pe = 0;  ///< pe counts within its cube
  BufferKind buffer_kind = BufferKind::tcm;
  std::uint64_t rx_base_pa = 0;  ///< encoded physical address
  std::uint64_t rx_base_va = 0;  ///< 0: not mapped
  std::uint32_t n_slots = 0;
  std::uint32_t slot_size = 0;  ///< bytes
  bool operator==(const IpcqEndpoint&) const = default;
};

/// One port's installation. Source: ADR-0023 D12.
struct IpcqInitEntry {
  Direction direction = Direction::N;
  IpcqEndpoint peer;
  std::uint64_t my_rx_base_pa = 0, my_rx_base_va = 0;
  std::uint32_t n_slots = 0, slot_size = 0;
  bool sends = true, receives = true;  ///< what the kernel may do at this port
};

struct IpcqInitMsg {
  std::uint64_t correlation_id = 0, request_id = 0;
  std::vector<IpcqInitEntry> entries;
  Backpressure backpressure_mode = Backpressure::sleep;
  BufferKind buffer_kind = BufferKind::tcm;
  std::uint32_t credit_size_bytes = 16;
};

/// What vc_comm carries: where the data goes, and the metadata that rides with it. Source: ADR-0023 D12; the peer
/// matches `dst_addr` against its rings, src_* are for traces.
struct IpcqDmaToken {
  std::uint64_t src_addr = 0, dst_addr = 0;
  std::uint32_t nbytes = 0;
  std::uint32_t sender_seq = 0;  ///< my_head before the send, low 32 bits
  std::uint32_t src_sip = 0, src_cube = 0, src_pe = 0;
  Direction src_direction = Direction::N;
  bool has_ack = false;  ///< piggyback: credit_ack frees the sender's own receive ring at this port
  std::uint32_t credit_ack = 0;
  std::uint8_t type = 0;  ///< of the elements, 0: none
};

struct IpcqMetaArrival {
  IpcqDmaToken token;
};

/// Source: ADR-0023 D12, D17: matched at the sender by the address of the ring that was freed.
struct IpcqCreditMetadata {
  std::uint32_t consumer_seq = 0;  ///< new my_tail, low 32 bits
  std::uint64_t dst_rx_base_pa = 0;
  std::uint32_t src_sip = 0, src_cube = 0, src_pe = 0;
  Direction src_direction = Direction::N;
};

}  // namespace tutti::device
