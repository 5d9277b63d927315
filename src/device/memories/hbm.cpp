// A PE's slice of its cube's HBM: large, reached by DMA through the slice's own controller (ADR-0023 D6; spec 3.2).
#include "device/memory_kind.h"

namespace tutti::device {

MemoryKind hbm_memory() {
  return {"hbm",
          BufferKind::hbm,
          memory::MemoryKind::hbm,
          false,
          [](const MachineSpec& s) -> const MachineSpec::Memory& { return s.hbm; },
          [](PeId id) {
            return "sip" + std::to_string(id.sip) + ".cube" + std::to_string(id.cube) + ".hbm" + std::to_string(id.pe);
          }};
}

}  // namespace tutti::device
