#include "host/group_plan.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/channels.h"
#include "host/ports.h"

namespace tutti::host {
device::IpcqConfig queue_config(const ccl::QueueSettings& s) {
  device::IpcqConfig c;
  constexpr device::BufferKind kinds[] = {device::BufferKind::tcm, device::BufferKind::hbm, device::BufferKind::sram};
  c.buffer_kind = kinds[static_cast<std::size_t>(s.buffer_kind)];
  constexpr device::Protocol protocols[] = {device::Protocol::ipcq, device::Protocol::doorbell,
                                            device::Protocol::message_queue, device::Protocol::completion_queue,
                                            device::Protocol::credit_in_data};
  c.protocol = protocols[static_cast<std::size_t>(s.protocol)];
  c.hw_strict = s.hw_strict;
  c.live_deadlock = s.live_wait_graph;
  if (!s.live_wait_graph) c.deadlock_timeout = s.deadlock_timeout;
  c.backpressure = s.backpressure == ccl::Backpressure::poll ? device::Backpressure::poll : device::Backpressure::sleep;
  c.poll_interval = s.poll_interval;
  c.n_slots = s.n_slots;
  c.slot_size = static_cast<std::uint32_t>(s.slot_size.count());
  c.credit_bytes = static_cast<std::uint32_t>(s.credit_size.count());
  constexpr device::CreditMode modes[] = {device::CreditMode::fast_path, device::CreditMode::link,
                                          device::CreditMode::vc_mux, device::CreditMode::piggyback};
  c.credit_mode = modes[static_cast<std::size_t>(s.credit_mode)];
  c.credit_link_bandwidth = s.credit_link;
  c.credit_priority = s.credit_priority;
  c.piggyback_timeout = s.piggyback_timeout;
  c.piggyback_low_water = s.low_water;
  c.credit_wait = s.credit_wait == ccl::CreditWait::posted ? device::CreditWait::posted : device::CreditWait::blocking;
  c.credit_latency = s.credit_latency == ccl::CreditLatency::bottleneck_only ? device::CreditLatency::bottleneck_only
                                                                             : device::CreditLatency::full_path;
  c.slot_release =
      s.slot_release == ccl::SlotRelease::at_recv ? device::SlotRelease::at_recv : device::SlotRelease::scoped;
  c.fairness = s.fairness == ccl::Fairness::strict ? device::Fairness::strict : device::Fairness::weak;
  return c;
}

std::vector<std::int32_t> rank_pes(const device::Machine& machine, ccl::RankUnit unit, int world_size) {
  std::vector<std::int32_t> pes;
  for (std::int32_t i = 0; i < machine.size(); ++i) {
    const device::PeId& id = machine.ids()[static_cast<std::size_t>(i)];
    if (unit == ccl::RankUnit::pe || (id.pe == 0 && (unit == ccl::RankUnit::cube || id.cube == 0))) pes.push_back(i);
  }
  if (world_size < 0 || static_cast<std::size_t>(world_size) > pes.size())
    throw ConfigError(fmt::format("error: {} ranks are asked for; this machine has 1 to {}", world_size, pes.size()));
  if (world_size > 0) pes.resize(static_cast<std::size_t>(world_size));
  return pes;
}

device::GroupPlan group_plan(const ccl::CclConfig& config, const ccl::Kernel& kernel, std::vector<std::int32_t> pes) {
  const std::string_view topology = config.topology.empty() ? kernel.topology : std::string_view(config.topology);
  const int ranks = static_cast<int>(pes.size());
  std::vector<ccl::Neighbors> neighbors;
  std::vector<std::array<std::optional<ccl::Port>, ccl::max_ports>> pairs;
  try {
    neighbors = ccl::neighbors_for(kernel, topology, ranks, config.queue.grid);
    pairs = ccl::pair_ports(neighbors, ccl::is_one_way(topology));
  } catch (const ConfigError& e) {
    throw ConfigError(fmt::format("{}: error: algorithm {}: {}", config.module_place, config.algorithm, e.what()));
  }
  device::GroupPlan plan;
  plan.pes = std::move(pes);
  plan.config = queue_config(config.queue);
  plan.ports.resize(neighbors.size());
  for (std::size_t r = 0; r < neighbors.size(); ++r)
    for (std::size_t p = 0; p < ccl::max_ports; ++p) {
      if (!neighbors[r][p]) continue;
      const auto peer = static_cast<std::size_t>(*neighbors[r][p]);
      const ccl::Port back = *pairs[r][p];
      const bool two_way = neighbors[peer][ccl::index(back)].has_value();
      plan.ports[r].push_back(
          {direction(static_cast<ccl::Port>(p)), static_cast<std::int32_t>(peer), direction(back), true, two_way});
      if (!two_way)
        plan.ports[peer].push_back(
            {direction(back), static_cast<std::int32_t>(r), direction(static_cast<ccl::Port>(p)), false, true});
    }
  return plan;
}

fabric::FabricSpec fabric_for(const fabric::FabricSpec& machine, const ccl::QueueSettings& s) {
  fabric::FabricSpec spec =
      device::fabric_spec({static_cast<int>(s.vc_compute_weight), static_cast<int>(s.vc_comm_weight),
                           static_cast<std::uint64_t>(s.vc_chunk.count()), s.vc_strict_partition},
                          queue_config(s));
  spec.routing = machine.routing, spec.seed = machine.seed, spec.naive = machine.naive;
  return spec;
}

}  // namespace tutti::host
