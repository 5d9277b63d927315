#pragma once
#include <vector>

#include "ccl/ccl_config.h"
#include "ccl/kernel.h"
#include "device/machine.h"

namespace tutti::host {

/// Which PEs are ranks: every PE, or the first of each cube or SIP, in order of SIP, cube, PE; the first `world_size`.
/// @param world_size  0: all.
/// @throws ConfigError  more than there are, or fewer than one.
std::vector<std::int32_t> rank_pes(const device::Machine& machine, ccl::RankUnit unit, int world_size);

/// What the machine installs for a kernel under ccl.yaml: neighbours by topology and hook, ports paired, queues as
/// configured.
/// @throws ConfigError  with the place in ccl.yaml: a grid that does not hold the ranks, neighbours that do not pair.
device::GroupPlan group_plan(const ccl::CclConfig& config, const ccl::Kernel& kernel, std::vector<std::int32_t> pes);

/// How queues work, as the machine wants it.
device::IpcqConfig queue_config(const ccl::QueueSettings& queue);

/// How links share their bandwidth: the machine's links with the virtual channels that ccl.yaml wants.
fabric::FabricSpec fabric_for(const fabric::FabricSpec& machine, const ccl::QueueSettings& queue);

}  // namespace tutti::host
