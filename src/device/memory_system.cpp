#include "device/memory_system.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::device {
namespace {

std::uint64_t count(Bytes b) { return static_cast<std::uint64_t>(b.count()); }

memory::MemoryGeometry geometry(const MachineSpec& s, unsigned sips, unsigned cubes, unsigned pes) {
  return {sips,
          cubes,
          pes,
          count(s.tcm.size),
          count(s.sram.size),
          count(s.hbm.size),
          count(s.ipcq_base),
          count(s.ipcq_bytes),
          count(s.scratch_base)};
}

}  // namespace

MemorySystem::MemorySystem(const MachineSpec& spec, const fabric::Graph& graph, const std::vector<PeId>& pes,
                           unsigned cubes_per_sip, unsigned pes_per_cube)
    : map_(geometry(spec, pes.back().sip + 1, cubes_per_sip, pes_per_cube)),
      slice_bytes_(count(spec.hbm.size) / pes_per_cube),
      spec_(spec) {
  if (spec.tcm_bank_conflicts) bank_free_.resize(pes.size() * static_cast<std::size_t>(spec.tcm_banks));
  const auto make = [&](BufferKind which, PeId id, std::int32_t owner) {
    const MemoryKind& kind = memory_kind(which);
    const MachineSpec::Memory& m = kind.spec(spec);
    return MemoryPart{&kind, graph.node(kind.node(id)), m.read, m.write, owner};
  };
  for (std::size_t i = 0; i < pes.size(); ++i) {
    tcm_.push_back(make(BufferKind::tcm, pes[i], static_cast<std::int32_t>(i)));
    hbm_.push_back(make(BufferKind::hbm, pes[i], static_cast<std::int32_t>(i)));
    if (pes[i].pe == 0) sram_.push_back(make(BufferKind::sram, pes[i], -1));
  }
}

Time MemorySystem::claim_banks(Address address, std::uint64_t bytes, Time now, Time duration) {
  if (bank_free_.empty() || bytes == 0) return Time();
  const MemoryPart& memory = part(address);
  if (!memory.kind->in_pe) return Time();
  const std::uint64_t offset = memory::PhysAddr::decode(address).offset();
  Time* const banks = &bank_free_[static_cast<std::size_t>(memory.owner) * static_cast<std::size_t>(spec_.tcm_banks)];
  const int first = bank_of(spec_, offset), last = bank_of(spec_, offset + bytes - 1);
  Time begin = now;
  for (int b = first; b <= last; ++b) begin = std::max(begin, banks[b]);
  for (int b = first; b <= last; ++b) banks[b] = begin + duration;
  if (begin > now) ++bank_conflicts_;
  return begin - now;
}

const MemoryPart& MemorySystem::part(Address address) const {
  const auto a = memory::PhysAddr::decode(address);
  const memory::MemoryGeometry& g = map_.geometry();
  const auto none = [&] { return ModelError(fmt::format("no memory at {:#x} ({})", address, a.describe())); };
  if (a.sip() >= g.sips || a.die() >= g.cubes) throw none();
  const std::size_t cube = std::size_t{a.sip()} * g.cubes + a.die();
  switch (a.region()) {
    case memory::Region::pe_local:
      if (a.unit() != memory::Unit::tcm || a.pe() >= g.pes) throw none();
      return tcm_[cube * g.pes + a.pe()];
    case memory::Region::hbm:
      if (a.offset() >= slice_bytes_ * g.pes) throw none();
      return hbm_[cube * g.pes + a.offset() / slice_bytes_];
    case memory::Region::sram:
      return sram_[cube];
    default:
      throw none();
  }
}

}  // namespace tutti::device
