#include "device/group.h"

#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "device/ipcq/errors.h"

namespace tutti::device {
namespace {

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

void check_plan(const std::vector<PeId>& ids, const GroupPlan& plan) {
  if (plan.pes.empty() || plan.ports.size() != plan.pes.size())
    throw ModelError("a process group needs at least one rank, and a list of ports for each");
  std::set<std::int32_t> seen;
  for (const std::int32_t pe : plan.pes) {
    if (pe < 0 || static_cast<std::size_t>(pe) >= ids.size())
      throw ModelError(fmt::format("process group: PE {} of {} does not exist", pe, ids.size()));
    if (!seen.insert(pe).second)
      throw ModelError(fmt::format("process group: {} stands twice", path(ids[static_cast<std::size_t>(pe)])));
  }
  for (std::size_t rank = 0; rank < plan.ports.size(); ++rank) {
    std::set<Direction> taken;
    for (const PortPlan& p : plan.ports[rank]) {
      if (p.peer < 0 || static_cast<std::size_t>(p.peer) >= plan.pes.size())
        throw ModelError(fmt::format("rank {} port {}: neighbour {} is not one of {} ranks", rank, name(p.direction),
                                     p.peer, plan.pes.size()));
      if (static_cast<std::size_t>(p.peer) == rank)
        throw ModelError(fmt::format("rank {} port {} leads to itself", rank, name(p.direction)));
      if (!taken.insert(p.direction).second)
        throw ModelError(fmt::format("rank {}: port {} stands twice", rank, name(p.direction)));
    }
  }
}

}  // namespace

std::vector<IpcqInitMsg> build_tables(memory::AddressMap& memory, const std::vector<PeId>& ids, const GroupPlan& plan) {
  check_plan(ids, plan);
  const IpcqConfig& c = plan.config;
  const MemoryKind& kind = memory_kind(c.buffer_kind);
  const std::uint64_t ring = aligned(std::uint64_t{c.n_slots} * c.slot_size);
  const auto id_of = [&](std::size_t rank) { return ids[static_cast<std::size_t>(plan.pes[rank])]; };

  std::map<std::pair<std::size_t, Direction>, std::uint64_t> base;
  for (std::size_t rank = 0; rank < plan.pes.size(); ++rank) {
    const std::uint64_t needed = ring * plan.ports[rank].size(), capacity = memory.ring_capacity(kind.space);
    if (needed > capacity)
      throw IpcqRegionOverflow(fmt::format("{}: {} ports x {} slots x {} B need {} B of {}, of which a PE has {} B",
                                           path(id_of(rank)), plan.ports[rank].size(), c.n_slots, c.slot_size, needed,
                                           kind.name, capacity));
    for (const PortPlan& p : plan.ports[rank])
      base[{rank, p.direction}] = memory.allocate_ring(kind.space, id_of(rank), ring).encode();
  }
  std::vector<IpcqInitMsg> tables(plan.pes.size());
  for (std::size_t rank = 0; rank < plan.pes.size(); ++rank) {
    IpcqInitMsg& m = tables[rank];
    m.request_id = rank;
    m.backpressure_mode = c.backpressure;
    m.buffer_kind = c.buffer_kind;
    m.credit_size_bytes = c.credit_bytes;
    for (const PortPlan& p : plan.ports[rank]) {
      const auto peer = static_cast<std::size_t>(p.peer);
      const auto there = base.find({peer, p.peer_direction});
      if (there == base.end())
        throw ModelError(fmt::format("rank {} port {}: rank {} has no port {} to lead back (I3)", rank,
                                     name(p.direction), peer, name(p.peer_direction)));
      const PeId at = id_of(peer);
      m.entries.push_back({p.direction,
                           {at.sip, at.cube, at.pe, c.buffer_kind, there->second, 0, c.n_slots, c.slot_size},
                           base[{rank, p.direction}],
                           0,
                           c.n_slots,
                           c.slot_size,
                           p.sends,
                           p.receives});
    }
  }
  return tables;
}

std::vector<std::vector<PortPlan>> check_tables(const std::vector<PeId>& ids, const std::vector<std::int32_t>& pes,
                                                const std::vector<IpcqInitMsg>& tables) {
  using Where = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
  std::map<Where, std::pair<std::size_t, const IpcqInitEntry*>> rings;
  const auto id_of = [&](std::size_t rank) { return ids[static_cast<std::size_t>(pes[rank])]; };
  for (std::size_t rank = 0; rank < tables.size(); ++rank)
    for (const IpcqInitEntry& e : tables[rank].entries) {
      const PeId id = id_of(rank);
      rings[{id.sip, id.cube, id.pe, e.my_rx_base_pa}] = {rank, &e};
    }
  std::vector<std::vector<PortPlan>> result(tables.size());
  for (std::size_t rank = 0; rank < tables.size(); ++rank) {
    const PeId me = id_of(rank);
    if (tables[rank].buffer_kind != tables.front().buffer_kind)
      throw ModelError(fmt::format("rank {}: buffer_kind {} where rank 0 has {}; one group has one kind (I4)", rank,
                                   memory_kind(tables[rank].buffer_kind).name,
                                   memory_kind(tables.front().buffer_kind).name));
    for (const IpcqInitEntry& e : tables[rank].entries) {
      const auto fault = [&](const std::string& what) {
        return ModelError(fmt::format("rank {} ({}) port {}: {}", rank, path(me), name(e.direction), what));
      };
      const std::string peer_name = path({e.peer.sip, e.peer.cube, e.peer.pe});
      if (e.peer.buffer_kind != tables[rank].buffer_kind)
        throw fault(fmt::format("its peer's ring is in {}, the group's are in {} (I4)",
                                memory_kind(e.peer.buffer_kind).name, memory_kind(tables[rank].buffer_kind).name));
      const auto found = rings.find({e.peer.sip, e.peer.cube, e.peer.pe, e.peer.rx_base_pa});
      if (found == rings.end()) throw fault(fmt::format("{} has no ring at {:#x} (I3)", peer_name, e.peer.rx_base_pa));
      const IpcqInitEntry& there = *found->second.second;
      if (there.peer.sip != me.sip || there.peer.cube != me.cube || there.peer.pe != me.pe ||
          there.peer.rx_base_pa != e.my_rx_base_pa)
        throw fault(fmt::format("port {} of {} does not lead back (I3)", name(there.direction), peer_name));
      if (there.n_slots != e.peer.n_slots || there.slot_size != e.peer.slot_size)
        throw fault(fmt::format("believes that {} has {} slots of {} B, but it has {} of {} B (I10)", peer_name,
                                e.peer.n_slots, e.peer.slot_size, there.n_slots, there.slot_size));
      result[rank].push_back({e.direction, static_cast<std::int32_t>(found->second.first), there.direction,
                              e.sends && there.receives, e.receives && there.sends});
    }
  }
  return result;
}

}  // namespace tutti::device
