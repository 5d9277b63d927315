#include <fmt/format.h>

#include "base/error.h"
#include "device/memory_kind.h"

namespace tutti::device {

#define TUTTI_BUILTIN(name) MemoryKind name##_memory();
#include "device/memories/builtin.def"
#undef TUTTI_BUILTIN

std::string path(PeId id) { return fmt::format("sip{}.cube{}.pe{}", id.sip, id.cube, id.pe); }

const std::vector<MemoryKind>& memory_kinds() {
  static const std::vector<MemoryKind> all = {
#define TUTTI_BUILTIN(name) name##_memory(),
#include "device/memories/builtin.def"
#undef TUTTI_BUILTIN
  };
  return all;
}

const MemoryKind& memory_kind(BufferKind kind) {
  for (const MemoryKind& k : memory_kinds())
    if (k.kind == kind) return k;
  throw InternalError("a buffer kind without a memory");
}

const MemoryKind& memory_kind(std::string_view name) {
  std::vector<std::string_view> known;
  for (const MemoryKind& k : memory_kinds()) {
    if (k.name == name) return k;
    known.push_back(k.name);
  }
  throw ConfigError(fmt::format("unknown buffer_kind '{}'; known: {}", name, fmt::join(known, ", ")));
}

}  // namespace tutti::device
