#pragma once
#include <cstdint>
#include <vector>

#include "device/ipcq/messages.h"
#include "device/machine_spec.h"
#include "device/memory_kind.h"

namespace tutti::device {

/// One port of one rank: who is behind it and which of its ports leads back.
struct PortPlan {
  Direction direction{};
  std::int32_t peer = 0;  ///< rank
  Direction peer_direction{};
  bool sends = true, receives = true;  ///< a ring of one direction has ports that only do one
};

/// The logical neighbours of a process group. Source: ADR-0023 D3, D10.
struct GroupPlan {
  std::vector<std::int32_t> pes;             ///< PE of each rank, each once
  std::vector<std::vector<PortPlan>> ports;  ///< of each rank
  IpcqConfig config;
};

/// First all rings of all ranks are placed, then each rank's table refers to them; installing comes after (ADR-0023
/// D2.5). Rings begin at multiples of 64 B, port by port.
/// @param ids  of every PE of the machine.
/// @throws ModelError  a rank, PE or port that does not exist or stands twice. IpcqRegionOverflow  rings too large.
std::vector<IpcqInitMsg> build_tables(memory::AddressMap& memory, const std::vector<PeId>& ids, const GroupPlan& plan);

/// The port that each entry's peer ring belongs to: result[rank][entry].
/// @throws ModelError  a peer that is in no table or whose port does not lead back (I3, both ways, also where two ports
/// lead to one peer), mixed buffer kinds (I4), geometries that differ (I10).
std::vector<std::vector<PortPlan>> check_tables(const std::vector<PeId>& ids, const std::vector<std::int32_t>& pes,
                                                const std::vector<IpcqInitMsg>& tables);

}  // namespace tutti::device
