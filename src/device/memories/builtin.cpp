#include <fmt/format.h>

#include "base/error.h"
#include "device/memory_kind.h"

namespace tutti::device {

#define TUTTI_BUILTIN(name) MemoryKind name##_memory();
#include "device/memories/builtin.def"
#undef TUTTI_BUILTIN

std::string path(PeId id) { return fmt::format("sip{}.cube{}.pe{}", id.sip, id.cube, id.pe); }

const Registry<MemoryKind>& memory_kinds() {
  static const Registry<MemoryKind> all("buffer_kind", {
#define TUTTI_BUILTIN(name) name##_memory(),
#include "device/memories/builtin.def"
#undef TUTTI_BUILTIN
                                                       });
  return all;
}

const MemoryKind& memory_kind(BufferKind kind) {
  for (const MemoryKind& k : memory_kinds())
    if (k.kind == kind) return k;
  throw InternalError("a buffer kind without a memory");
}

const MemoryKind& memory_kind(std::string_view name) { return memory_kinds().at(name); }

}  // namespace tutti::device
