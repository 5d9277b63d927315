#pragma once
#include <compare>
#include <cstdint>
#include <string>

namespace tutti::memory {

/// What a physical address points at. HBM, SRAM, PE and M_CPU lie in a cube, the last two on an IO chiplet.
enum class Region : std::uint8_t { hbm, pe_local, sram, m_cpu, pcie_window, io_cpu };
/// Parts of a PE that have addresses.
enum class Unit : std::uint8_t { tcm, ipcq_csr, dma_csr, mmu_csr, cpu_mailbox, credit_window };

/// A 51-bit physical address, as an immutable value without global state:
/// [50:47] SIP | [46:42] die: 0 to 15 cubes, 16 to 20 IO chiplets | [41:38] region | [37:0] offset,
/// and in a PE's region [37:33] PE | [32:28] unit | [27:0] offset. encode() and decode() undo each other for every
/// address that exists; all others are refused.
/// Source: spec 3.2; seed ADR-0001 revision 2 for the outer split.
class PhysAddr {
 public:
  static constexpr unsigned max_sips = 16, max_cubes = 16, max_io_chiplets = 5, max_pes = 32;

  /// @throws ModelError  a number that its field does not hold.
  static PhysAddr hbm(unsigned sip, unsigned cube, std::uint64_t offset);
  static PhysAddr sram(unsigned sip, unsigned cube, std::uint64_t offset);
  static PhysAddr m_cpu(unsigned sip, unsigned cube, std::uint64_t offset);
  static PhysAddr pe_local(unsigned sip, unsigned cube, unsigned pe, Unit unit, std::uint64_t offset);
  static PhysAddr tcm(unsigned sip, unsigned cube, unsigned pe, std::uint64_t offset) {
    return pe_local(sip, cube, pe, Unit::tcm, offset);
  }
  static PhysAddr io(unsigned sip, unsigned chiplet, Region region, std::uint64_t offset);
  /// @throws ModelError  bits above 50, a reserved die, region or unit: names the address and the field.
  static PhysAddr decode(std::uint64_t bits);
  std::uint64_t encode() const { return bits_; }

  Region region() const;
  unsigned sip() const { return static_cast<unsigned>(bits_ >> 47); }
  unsigned die() const { return static_cast<unsigned>(bits_ >> 42) & 31u; }
  /// @pre not on an IO chiplet.
  unsigned cube() const { return die(); }
  /// @pre region() == pe_local.
  unsigned pe() const { return static_cast<unsigned>(bits_ >> 33) & 31u; }
  Unit unit() const { return static_cast<Unit>((bits_ >> 28) & 31u); }
  /// Within its HBM, SRAM, CPU memory, window, or unit of a PE.
  std::uint64_t offset() const;
  /// "sip0.cube5.pe3.tcm+0x1000".
  std::string describe() const;

  auto operator<=>(const PhysAddr&) const = default;

 private:
  explicit PhysAddr(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_;
};

}  // namespace tutti::memory
