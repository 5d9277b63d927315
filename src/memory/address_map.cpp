#include "memory/address_map.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::memory {
namespace {

constexpr std::uint64_t alignment = 64;  ///< slots are named on the wire in granules of 64 bytes (spec C22)
constexpr std::array<std::string_view, 3> kind_names = {"tcm", "sram", "hbm"};

}  // namespace

AddressMap::AddressMap(const MemoryGeometry& g) : geometry_(g) {
  if (g.sips < 1 || g.cubes < 1 || g.pes < 1 || g.sips > PhysAddr::max_sips || g.cubes > PhysAddr::max_cubes ||
      g.pes > PhysAddr::max_pes)
    throw ConfigError(fmt::format("memories: {} SIPs of {} cubes of {} PEs; an address names 1 to {}, {} and {}",
                                  g.sips, g.cubes, g.pes, PhysAddr::max_sips, PhysAddr::max_cubes, PhysAddr::max_pes));
  if (g.ipcq_base > g.scratch_base || g.ipcq_bytes > g.scratch_base - g.ipcq_base || g.scratch_base > g.tcm_bytes)
    throw ConfigError(
        fmt::format("memories: the IPCQ region ({:#x}, {:#x} bytes) must lie before the scratch region ({:#x}), and "
                    "both in the TCM of {:#x} bytes",
                    g.ipcq_base, g.ipcq_bytes, g.scratch_base, g.tcm_bytes));
  tensor_[0] = {0, g.ipcq_base}, ring_[0] = {g.ipcq_base, g.ipcq_bytes};
  for (const auto& [kind, bytes] : {std::pair<std::size_t, std::uint64_t>{1, g.sram_bytes}, {2, g.hbm_bytes}}) {
    const std::uint64_t half = bytes / g.pes / 2 / alignment * alignment;
    tensor_[kind] = {0, half}, ring_[kind] = {half, half};
  }
  const std::size_t cubes = std::size_t{g.sips} * g.cubes;
  spaces_.reserve(cubes * (g.pes + 2));
  for (std::size_t c = 0; c < cubes; ++c)
    for (unsigned p = 0; p < g.pes; ++p)
      spaces_.emplace_back(fmt::format("sip{}.cube{}.pe{}.tcm", c / g.cubes, c % g.cubes, p), g.tcm_bytes);
  for (std::size_t c = 0; c < cubes; ++c)
    spaces_.emplace_back(fmt::format("sip{}.cube{}.sram", c / g.cubes, c % g.cubes), g.sram_bytes);
  for (std::size_t c = 0; c < cubes; ++c)
    spaces_.emplace_back(fmt::format("sip{}.cube{}.hbm", c / g.cubes, c % g.cubes), g.hbm_bytes);
  for (auto* used : {&tensors_, &rings_})
    for (auto& of_kind : *used) of_kind.assign(cubes * g.pes, 0);
}

AddressMap::Place AddressMap::resolve(std::uint64_t address) const {
  const unsigned sip = static_cast<unsigned>(address >> 47), die = static_cast<unsigned>(address >> 42) & 31u;
  const unsigned region = static_cast<unsigned>(address >> 38) & 15u;
  const std::size_t cubes = std::size_t{geometry_.sips} * geometry_.cubes;
  if (sip < geometry_.sips && die < geometry_.cubes) {
    const std::size_t cube = sip * geometry_.cubes + die;
    const unsigned pe = static_cast<unsigned>(address >> 33) & 31u, unit = static_cast<unsigned>(address >> 28) & 31u;
    std::size_t index = ~std::size_t{0};
    std::uint64_t offset = address & ((std::uint64_t{1} << 38) - 1);
    if (region == 1 && unit == 0 && pe < geometry_.pes)
      index = cube * geometry_.pes + pe, offset = address & ((std::uint64_t{1} << 28) - 1);
    else if (region == 2)
      index = cubes * geometry_.pes + cube;
    else if (region == 0)
      index = cubes * (geometry_.pes + 1) + cube;
    if (index != ~std::size_t{0}) return {const_cast<Space*>(&spaces_[index]), offset};
  }
  throw ModelError(fmt::format("no memory at address {:#x} ({})", address, PhysAddr::decode(address).describe()));
}

PhysAddr AddressMap::take(Used& used, const char* what, MemoryKind kind, PeId pe, std::uint64_t bytes) {
  if (pe.sip >= geometry_.sips || pe.cube >= geometry_.cubes || pe.pe >= geometry_.pes)
    throw ModelError(fmt::format("there is no PE {} in cube {} of SIP {}", pe.pe, pe.cube, pe.sip));
  const auto k = static_cast<std::size_t>(kind);
  const Part& part = &used == &tensors_ ? tensor_[k] : ring_[k];
  std::uint64_t& at = used[k][cube_index(pe) * geometry_.pes + pe.pe];
  if (at > part.bytes || bytes > part.bytes - at)
    throw ModelError(fmt::format("sip{}.cube{}.pe{}: {} bytes of {} for {} are asked for, {} of {} are free", pe.sip,
                                 pe.cube, pe.pe, bytes, kind_names[k], what, part.bytes - std::min(at, part.bytes),
                                 part.bytes));
  const std::uint64_t offset = part.base + at;
  at += (bytes + alignment - 1) / alignment * alignment;
  const auto share = [&](std::uint64_t all) { return pe.pe * (all / geometry_.pes / alignment * alignment); };
  switch (kind) {
    case MemoryKind::tcm:
      return PhysAddr::tcm(pe.sip, pe.cube, pe.pe, offset);
    case MemoryKind::sram:
      return PhysAddr::sram(pe.sip, pe.cube, share(geometry_.sram_bytes) + offset);
    case MemoryKind::hbm:
      return PhysAddr::hbm(pe.sip, pe.cube, share(geometry_.hbm_bytes) + offset);
  }
  throw InternalError("unknown kind of memory");
}

void AddressMap::each_written(const std::function<void(std::uint64_t, std::span<const std::byte>)>& visit) const {
  const std::size_t pes = geometry_.pes, cubes = std::size_t{geometry_.sips} * geometry_.cubes;
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    const bool tcm = i < cubes * pes;
    const std::size_t cube = tcm ? i / pes : (i - cubes * pes) % cubes;
    const auto s = static_cast<unsigned>(cube / geometry_.cubes), c = static_cast<unsigned>(cube % geometry_.cubes);
    const PhysAddr base = tcm ? PhysAddr::tcm(s, c, static_cast<unsigned>(i % pes), 0)
                              : (i < cubes * (pes + 1) ? PhysAddr::sram(s, c, 0) : PhysAddr::hbm(s, c, 0));
    spaces_[i].each_written(
        [&](std::uint64_t offset, std::span<const std::byte> bytes) { visit(base.encode() + offset, bytes); });
  }
}

}  // namespace tutti::memory
