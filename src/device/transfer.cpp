#include "device/transfer.h"

#include "device/channels.h"
#include "device/machine.h"

namespace tutti::device {
namespace {

sim::Process<> sends(Pe& pe, Direction to, Address source, std::uint64_t size, int n) {
  for (int i = 0; i < n; ++i) co_await pe.send(to, source, size);
}
sim::Process<> receives(Pe& pe, Direction from, int n, std::vector<Time>& at, sim::Simulation& s) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(from);
    at.push_back(s.now());
    co_await pe.release(slot);
  }
}
sim::Process<> exchanges(Pe& pe, Direction port, Address source, std::uint64_t size, int n, std::vector<Time>& at,
                         sim::Simulation& s) {
  for (int i = 0; i < n; ++i) {
    co_await pe.send(port, source, size);
    const ReceivedSlot slot = co_await pe.recv(port);
    at.push_back(s.now());
    co_await pe.release(slot);
  }
}

/// Adds what left `pe` on the first link to `other`.
void count(Machine& m, std::int32_t pe, std::int32_t other, Transfer& t) {
  const auto link = m.fabric().path(m.pe(pe).node(), m.pe(other).node()).hops.front().link;
  for (const auto& channel : m.fabric().statistics(link).channels) {
    t.packets += static_cast<double>(channel.packets);
    t.bytes += static_cast<double>(channel.bytes);
  }
}

}  // namespace

Transfer measure_transfer(const fabric::Topology& topology, const MachineSpec& spec, const IpcqConfig& queues,
                          std::int32_t from, std::int32_t to, std::uint64_t size, int messages, bool both_ways) {
  std::unique_ptr<Machine> machine;  // outlives the processes
  sim::Simulation simulation;
  machine = std::make_unique<Machine>(simulation, topology, spec, fabric_spec({}, queues));
  machine->install({{from, to}, {{{Direction::E, 1, Direction::W}}, {{Direction::W, 0, Direction::E}}}, queues});
  const std::vector<std::byte> zeros(size);
  const auto source = [&](std::int32_t pe) {
    const Address at = size ? machine->allocate(BufferKind::tcm, pe, size) : 0;
    if (size) machine->memory().write(at, zeros);
    return at;
  };
  std::vector<Time> at, other;
  if (both_ways) {
    machine->launch(from, exchanges(machine->pe(from), Direction::E, source(from), size, messages, other, simulation));
    machine->launch(to, exchanges(machine->pe(to), Direction::W, source(to), size, messages, at, simulation));
  } else {
    machine->launch(from, sends(machine->pe(from), Direction::E, source(from), size, messages));
    machine->launch(to, receives(machine->pe(to), Direction::W, messages, at, simulation));
  }
  machine->run();

  Transfer t;
  t.first = at.front();
  t.total = std::max(machine->pe(from).kernel_end, machine->pe(to).kernel_end);
  const std::size_t half = at.size() / 2;
  if (at.size() > 1 && at.back() > at[half])
    t.gbs = static_cast<double>(size) * static_cast<double>(at.size() - 1 - half) / (at.back() - at[half]).ns();
  count(*machine, from, to, t), count(*machine, to, from, t);
  const IpcqConfig q = effective(queues);
  const bool wires = q.credit_mode == CreditMode::fast_path || q.credit_mode == CreditMode::piggyback;
  if (wires)
    for (const auto& [pe, port] : {std::pair{from, Direction::E}, std::pair{to, Direction::W}}) {
      const auto credits = static_cast<double>(machine->pe(pe).ipcq().use(port).credits);
      t.packets += credits, t.bytes += credits * q.credit_bytes;
    }
  const double sent = messages * (both_ways ? 2.0 : 1.0);
  t.packets /= sent, t.bytes /= sent;
  return t;
}

}  // namespace tutti::device
