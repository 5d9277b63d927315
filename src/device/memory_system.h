#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "device/memory_kind.h"
#include "fabric/graph.h"
#include "memory/address_map.h"

namespace tutti::device {

using Address = std::uint64_t;  ///< an encoded memory::PhysAddr

/// Bank of the TCM that an offset lies in: the rings' region has one of its own (ADR-0023 D20, D22).
inline int bank_of(const MachineSpec& s, std::uint64_t offset) {
  return static_cast<int>(offset * static_cast<std::uint64_t>(s.tcm_banks) /
                          static_cast<std::uint64_t>(s.tcm.size.count()));
}

/// How and how fast one memory of the machine is reached.
struct MemoryPart {
  const MemoryKind* kind;
  fabric::NodeId node;
  Time read, write;
  std::int32_t owner = -1;  ///< index of the PE whose TCM or slice it is
};

/// All memories of a machine: bytes by physical address, and the fabric node and latencies behind each address. Bytes
/// change in no time here; the parts that move them pay.
class MemorySystem {
 public:
  /// @param pes  every PE, ordered by SIP, cube, PE, with `pes_per_cube` in each cube.
  MemorySystem(const MachineSpec& spec, const fabric::Graph& graph, const std::vector<PeId>& pes,
               unsigned cubes_per_sip, unsigned pes_per_cube);

  /// @throws ModelError  no memory there.
  const MemoryPart& part(Address address) const;
  /// An access of `duration` to `bytes` at `address` that wants to begin at `now`: how long it waits for accesses to
  /// the same banks of a TCM. Nothing unless MachineSpec::tcm_bank_conflicts, and nothing for other memories.
  Time claim_banks(Address address, std::uint64_t bytes, Time now, Time duration);
  std::uint64_t bank_conflicts() const { return bank_conflicts_; }  ///< accesses that waited
  /// @throws ModelError  outside, or bytes that were never written.
  void read(Address address, std::span<std::byte> out) const { map_.read(address, out); }
  void write(Address address, std::span<const std::byte> bytes) { map_.write(address, bytes); }
  memory::AddressMap& map() { return map_; }
  const memory::AddressMap& map() const { return map_; }

 private:
  memory::AddressMap map_;
  std::uint64_t slice_bytes_;
  std::vector<MemoryPart> tcm_, hbm_, sram_;
  const MachineSpec& spec_;
  std::vector<Time> bank_free_;  ///< by PE and bank: when its last access ends
  std::uint64_t bank_conflicts_ = 0;
};

}  // namespace tutti::device
