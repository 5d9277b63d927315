#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "memory/phys_addr.h"
#include "memory/store.h"

namespace tutti::memory {

/// Memories that a kernel can address.
enum class MemoryKind : std::uint8_t { tcm, sram, hbm };

/// How many memories there are and how large. Defaults: topology.yaml of the small profile.
struct MemoryGeometry {
  unsigned sips = 1, cubes = 16, pes = 8;  ///< cubes a SIP, PEs a cube
  std::uint64_t tcm_bytes = 16u << 20, sram_bytes = 32u << 20, hbm_bytes = std::uint64_t{48} << 30;
  std::uint64_t ipcq_base = 0xE00000, ipcq_bytes = 1u << 20;  ///< of each TCM: receive rings
  std::uint64_t scratch_base = 0xF00000;                      ///< of each TCM: metadata and scratch, to its end
};

/// A PE by its place.
struct PeId {
  unsigned sip = 0, cube = 0, pe = 0;
  auto operator<=>(const PeId&) const = default;
};

/// All memories of a machine by physical address, and who may use what. Each PE has a TCM; the PEs of a cube share its
/// SRAM and HBM, where each PE allocates from its own equal part: tensors from the lower half of it, receive rings from
/// the upper half. In a TCM the rings have a region of their own (spec 3.1, R137).
class AddressMap {
 public:
  /// @throws ConfigError  more than an address can name, or regions of the TCM that overlap or lie outside.
  explicit AddressMap(const MemoryGeometry& geometry);

  struct Place {
    Space* space;
    std::uint64_t offset;
  };
  /// The memory and the offset behind an encoded address. Fast: no search.
  /// @throws ModelError  no memory there: names the address.
  Place resolve(std::uint64_t address) const;
  void write(std::uint64_t address, std::span<const std::byte> bytes) { write_to(resolve(address), bytes); }
  void read(std::uint64_t address, std::span<std::byte> out) const { read_from(resolve(address), out); }

  /// A range for a tensor, aligned to 64 bytes. @throws ModelError  full: names the PE, what is left and what was
  /// asked.
  PhysAddr allocate(MemoryKind kind, PeId pe, std::uint64_t bytes) {
    return take(tensors_, "tensors", kind, pe, bytes);
  }
  /// A range for receive rings, aligned to 64 bytes. @throws ModelError  as allocate.
  PhysAddr allocate_ring(MemoryKind kind, PeId pe, std::uint64_t bytes) {
    return take(rings_, "receive rings", kind, pe, bytes);
  }
  /// Bytes that one PE may use for receive rings there.
  std::uint64_t ring_capacity(MemoryKind kind) const { return ring_[static_cast<std::size_t>(kind)].bytes; }

  /// Calls `visit(address, bytes)` for every run of written bytes of every memory.
  void each_written(const std::function<void(std::uint64_t, std::span<const std::byte>)>& visit) const;
  const MemoryGeometry& geometry() const { return geometry_; }
  std::vector<Space>& spaces() { return spaces_; }
  const std::vector<Space>& spaces() const { return spaces_; }

 private:
  struct Part {
    std::uint64_t base = 0, bytes = 0;
  };
  using Used = std::array<std::vector<std::uint64_t>, 3>;  ///< by kind and PE
  static void write_to(Place p, std::span<const std::byte> bytes) { p.space->write(p.offset, bytes); }
  static void read_from(Place p, std::span<std::byte> out) { p.space->read(p.offset, out); }
  std::size_t cube_index(PeId pe) const { return pe.sip * geometry_.cubes + pe.cube; }
  PhysAddr take(Used& used, const char* what, MemoryKind kind, PeId pe, std::uint64_t bytes);

  MemoryGeometry geometry_;
  std::vector<Space> spaces_;          ///< TCMs by PE, then SRAMs, then HBMs by cube
  std::array<Part, 3> tensor_, ring_;  ///< of one PE's part, by kind
  Used tensors_, rings_;
};

}  // namespace tutti::memory
