#include "memory/phys_addr.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::memory {
namespace {

constexpr unsigned first_io_die = 16;
constexpr std::array<std::string_view, 6> unit_names = {"tcm",     "ipcq_csr",    "dma_csr",
                                                        "mmu_csr", "cpu_mailbox", "credit_window"};
constexpr std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

std::uint64_t field(const char* name, std::uint64_t value, std::uint64_t limit, unsigned shift) {
  if (value >= limit)
    throw ModelError(fmt::format("physical address: {} {:#x} is not below {:#x}", name, value, limit));
  return value << shift;
}
std::uint64_t in_cube(unsigned sip, unsigned cube, std::uint64_t region) {
  return field("SIP", sip, PhysAddr::max_sips, 47) | field("cube", cube, PhysAddr::max_cubes, 42) | region << 38;
}

}  // namespace

PhysAddr PhysAddr::hbm(unsigned sip, unsigned cube, std::uint64_t offset) {
  return PhysAddr(in_cube(sip, cube, 0) | field("HBM offset", offset, mask(38) + 1, 0));
}
PhysAddr PhysAddr::sram(unsigned sip, unsigned cube, std::uint64_t offset) {
  return PhysAddr(in_cube(sip, cube, 2) | field("SRAM offset", offset, mask(38) + 1, 0));
}
PhysAddr PhysAddr::m_cpu(unsigned sip, unsigned cube, std::uint64_t offset) {
  return PhysAddr(in_cube(sip, cube, 3) | field("M_CPU offset", offset, mask(38) + 1, 0));
}
PhysAddr PhysAddr::pe_local(unsigned sip, unsigned cube, unsigned pe, Unit unit, std::uint64_t offset) {
  return PhysAddr(in_cube(sip, cube, 1) | field("PE", pe, max_pes, 33) |
                  field("unit", static_cast<std::uint64_t>(unit), unit_names.size(), 28) |
                  field("offset in the PE's unit", offset, mask(28) + 1, 0));
}
PhysAddr PhysAddr::io(unsigned sip, unsigned chiplet, Region region, std::uint64_t offset) {
  if (region != Region::pcie_window && region != Region::io_cpu)
    throw ModelError("physical address: an IO chiplet has a PCIe window and an IO_CPU only");
  return PhysAddr(field("SIP", sip, max_sips, 47) |
                  (first_io_die + field("IO chiplet", chiplet, max_io_chiplets, 0)) << 42 |
                  std::uint64_t{region == Region::io_cpu} << 38 | field("IO offset", offset, mask(38) + 1, 0));
}

PhysAddr PhysAddr::decode(std::uint64_t bits) {
  const PhysAddr a(bits);
  const std::uint64_t region = bits >> 38 & 15u;
  const auto refuse = [bits](const char* what, std::uint64_t value) {
    return ModelError(fmt::format("physical address {:#x}: {} {} does not exist", bits, what, value));
  };
  if (bits >> 51) throw ModelError(fmt::format("physical address {:#x} has more than 51 bits", bits));
  if (a.die() >= first_io_die + max_io_chiplets) throw refuse("die", a.die());
  if (region > (a.die() >= first_io_die ? 1u : 3u)) throw refuse("region", region);
  if (a.die() < first_io_die && region == 1 && (bits >> 28 & 31u) >= unit_names.size())
    throw refuse("unit", bits >> 28 & 31u);
  return a;
}

Region PhysAddr::region() const {
  constexpr std::array cube = {Region::hbm, Region::pe_local, Region::sram, Region::m_cpu};
  constexpr std::array io = {Region::pcie_window, Region::io_cpu};
  const auto number = static_cast<std::size_t>(bits_ >> 38 & 15u);
  return die() >= first_io_die ? io[number] : cube[number];
}

std::uint64_t PhysAddr::offset() const { return bits_ & mask(region() == Region::pe_local ? 28 : 38); }

std::string PhysAddr::describe() const {
  const std::string sip_name = fmt::format("sip{}", sip());
  switch (region()) {
    case Region::hbm:
      return fmt::format("{}.cube{}.hbm+{:#x}", sip_name, cube(), offset());
    case Region::sram:
      return fmt::format("{}.cube{}.sram+{:#x}", sip_name, cube(), offset());
    case Region::m_cpu:
      return fmt::format("{}.cube{}.m_cpu+{:#x}", sip_name, cube(), offset());
    case Region::pe_local:
      return fmt::format("{}.cube{}.pe{}.{}+{:#x}", sip_name, cube(), pe(),
                         unit_names[static_cast<std::size_t>(unit())], offset());
    case Region::pcie_window:
      return fmt::format("{}.io{}.pcie+{:#x}", sip_name, die() - first_io_die, offset());
    case Region::io_cpu:
      return fmt::format("{}.io{}.io_cpu+{:#x}", sip_name, die() - first_io_die, offset());
  }
  return "?";
}

}  // namespace tutti::memory
