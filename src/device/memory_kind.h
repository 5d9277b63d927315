#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "device/machine_spec.h"
#include "memory/address_map.h"

namespace tutti::device {

using memory::PeId;
std::string path(PeId id);  ///< "sip0.cube5.pe3"

/// A kind of memory that can hold tensors and receive rings. One file in memories/, one line in its builtin.def.
struct MemoryKind {
  std::string_view name;
  BufferKind kind;
  memory::MemoryKind space;
  bool in_pe;  ///< the PE's own DMA is its port: own accesses need no transfer
  const MachineSpec::Memory& (*spec)(const MachineSpec&);
  std::string (*node)(PeId);  ///< path of the fabric node that it is reached at
};

/// Kinds of memories/builtin.def, in its order.
const Registry<MemoryKind>& memory_kinds();
const MemoryKind& memory_kind(BufferKind kind);
/// @throws ConfigError  unknown; lists what is known.
const MemoryKind& memory_kind(std::string_view name);

}  // namespace tutti::device
