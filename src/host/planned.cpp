#include "host/planned.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "host/group_plan.h"
#include "host/ports.h"
#include "plan/algorithm.h"

namespace tutti::host {

plan::Schedule planned_schedule(const ccl::CclConfig& config, const plan::Collective& collective) {
  plan::Parameters parameters;
  for (const auto& [name, value] : config.parameters) parameters.set(name, value);
  try {
    return plan::make_schedule(plan::algorithm(config.plan()), collective, parameters);
  } catch (const ConfigError& e) {
    throw ConfigError(fmt::format("{}: {}", config.module_place, e.what()));
  }
}

device::GroupPlan group_plan(const ccl::CclConfig& config, const ccl::Wiring& wiring, std::vector<std::int32_t> pes) {
  device::GroupPlan plan;
  plan.pes = std::move(pes);
  plan.config = queue_config(config.queue);
  plan.ports.resize(wiring.ports.size());
  for (std::size_t r = 0; r < wiring.ports.size(); ++r) {
    const auto& mine = wiring.ports[r];
    if (config.queue.hw_strict && mine.size() > ccl::max_ports)
      throw ConfigError(
          fmt::format("{}: error: rank {} of {} speaks to {} peers and channels; a PE has {} ports (hw_strict)",
                      config.module_place, r, config.algorithm, mine.size(), ccl::max_ports));
    for (std::size_t p = 0; p < mine.size(); ++p) {
      const auto& line = mine[p];
      const bool receives = wiring.ports[static_cast<std::size_t>(line.peer)][line.back].sends;
      plan.ports[r].push_back({direction(static_cast<ccl::Port>(p)), line.peer,
                               direction(static_cast<ccl::Port>(line.back)), line.sends, receives});
    }
  }
  return plan;
}

device::Address PlanBuffers::offset(std::int64_t elements) const {
  return static_cast<device::Address>(elements * memory::size_of(dtype_));
}

PlanBuffers::PlanBuffers(device::Machine& machine, const std::vector<std::int32_t>& pes, const plan::Schedule& schedule,
                         memory::DType dtype, device::BufferKind kind)
    : machine_(&machine), schedule_(schedule), dtype_(dtype) {
  const plan::Collective& c = schedule_.collective;
  for (int r = 0; r < c.ranks; ++r) {
    const auto room = [&](std::int64_t elements) {
      return machine.allocate(kind, pes[static_cast<std::size_t>(r)], offset(elements));
    };
    Place p;
    if (schedule_.in_place) {
      p.output = room(std::max(c.input_offset(r) + c.input_size(r), c.output_offset(r) + c.output_size(r)));
    } else {
      p.input = room(c.input_size(r));
      p.output = room(c.output_size(r));
    }
    p.scratch = room(schedule_.scratch(r));
    places_.push_back(p);
  }
}

void PlanBuffers::write_input(int rank, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const Place& p = places_[static_cast<std::size_t>(rank)];
  machine_->memory().write(schedule_.in_place ? p.output + offset(schedule_.collective.input_offset(rank)) : p.input,
                           bytes);
}

std::vector<std::byte> PlanBuffers::read_output(int rank) const {
  const plan::Collective& c = schedule_.collective;
  std::vector<std::byte> bytes(offset(c.output_size(rank)));
  const device::Address base =
      places_[static_cast<std::size_t>(rank)].output + (schedule_.in_place ? offset(c.output_offset(rank)) : 0);
  for (const plan::Content& have : c.expected(rank))
    if (have.where.count > 0)
      machine_->memory().read(base + offset(have.where.begin),
                              std::span(bytes).subspan(offset(have.where.begin), offset(have.where.count)));
  return bytes;
}

ccl::ScheduleArgs PlanBuffers::args(int rank, memory::ReduceOp op) const {
  const Place& p = places_[static_cast<std::size_t>(rank)];
  return {p.input, p.output, p.scratch, dtype_, op, rank};
}

Buffers random_inputs(const plan::Collective& collective, memory::DType dtype, std::uint64_t seed) {
  Buffers inputs;
  for (int r = 0; r < collective.ranks; ++r)
    inputs.push_back(random_elements(dtype, collective.input_size(r), seed, r));
  return inputs;
}

}  // namespace tutti::host
