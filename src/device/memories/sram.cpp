// The SRAM of a cube: medium size, one port that all PEs of the cube share (ADR-0023 D6).
#include "device/memory_kind.h"

namespace tutti::device {

MemoryKind sram_memory() {
  return {"sram",
          BufferKind::sram,
          memory::MemoryKind::sram,
          false,
          [](const MachineSpec& s) -> const MachineSpec::Memory& { return s.sram; },
          [](PeId id) { return "sip" + std::to_string(id.sip) + ".cube" + std::to_string(id.cube) + ".sram"; }};
}

}  // namespace tutti::device
