// Tightly coupled memory of a PE: 16 MiB, rings in its upper banks (ADR-0023 D6, D20). Own accesses need no DMA.
#include "device/memory_kind.h"

namespace tutti::device {

MemoryKind tcm_memory() {
  return {"tcm",
          BufferKind::tcm,
          memory::MemoryKind::tcm,
          true,
          [](const MachineSpec& s) -> const MachineSpec::Memory& { return s.tcm; },
          [](PeId id) { return path(id) + ".pe_dma"; }};
}

}  // namespace tutti::device
