#include "ccl/run_schedule.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/error.h"
#include "sim/gate.h"

namespace tutti::ccl {
namespace {

struct Addresses {
  Address begin = 0, end = 0;
  bool overlaps(const Addresses& o) const { return begin < o.end && o.begin < end; }
};

/// What a port has under way.
struct Outgoing {
  bool active = false;
  int stream = 0;
  std::int64_t step = 0;
  Addresses unsent;     ///< of the message that is being sent
  Addresses unsettled;  ///< what was sent and may not have left yet
};

struct StreamPlace {
  std::int64_t number = -1;  ///< step under way
};

struct Run {
  sim::Simulation& simulation;
  Endpoint& tl;
  const plan::Schedule& schedule;
  const Wiring& wiring;
  ScheduleArgs args;
  std::int64_t width;
  std::vector<Outgoing> outgoing;
  std::vector<StreamPlace> streams;
  sim::Signal changed{"progress of another stream"};

  Addresses at(const plan::Slice& s) const {
    Address base = args.scratch;
    std::int64_t begin = s.begin;
    if (s.buffer != plan::Buffer::scratch) {
      base = s.buffer == plan::Buffer::input && !schedule.in_place ? args.input : args.output;
      if (schedule.in_place)
        begin += s.buffer == plan::Buffer::input ? schedule.collective.input_offset(args.rank)
                                                 : schedule.collective.output_offset(args.rank);
    }
    const Address first = base + static_cast<Address>(begin * width);
    return {first, first + static_cast<Address>(s.count * width)};
  }
  bool ended(int stream, std::int64_t step) const {
    if (streams[static_cast<std::size_t>(stream)].number <= step) return false;
    return std::none_of(outgoing.begin(), outgoing.end(),
                        [&](const Outgoing& o) { return o.active && o.stream == stream && o.step <= step; });
  }
  /// Whole elements that a slot of this port holds, as bytes.
  Address piece(Port p) const {
    const std::int64_t bytes = tl.slot_size(p).count() / width * width;
    if (bytes == 0)
      throw ModelError(fmt::format("rank {}: a slot of {} bytes at port {} holds no element", args.rank,
                                   tl.slot_size(p).count(), name(p)));
    return static_cast<Address>(bytes);
  }
};

sim::Process<> push(Run& run, Port port) {
  Outgoing& out = run.outgoing[index(port)];
  const Address most = run.piece(port);
  do {
    const Address n = std::min(most, out.unsent.end - out.unsent.begin);
    co_await run.tl.send(port, out.unsent.begin, Bytes(static_cast<std::int64_t>(n)));
    out.unsent.begin += n;
    run.changed.fire();
  } while (out.unsent.begin < out.unsent.end);
  out.active = false;
  run.changed.fire();
}

sim::Process<> send(Run& run, int stream, std::int64_t number, const plan::Step& step) {
  const Port port = run.wiring.port(run.args.rank, step.peer, step.channel);
  Outgoing& out = run.outgoing[index(port)];
  while (out.active) co_await run.changed.wait();
  const Addresses source = run.at(step.source);
  out.active = true, out.stream = stream, out.step = number;
  out.unsent = source;
  if (out.unsettled.begin == out.unsettled.end)
    out.unsettled = source;
  else
    out.unsettled = {std::min(out.unsettled.begin, source.begin), std::max(out.unsettled.end, source.end)};
  const Address pieces = (source.end - source.begin + run.piece(port) - 1) / run.piece(port);
  if (pieces <= run.tl.credits(port))
    co_await push(run, port);
  else
    run.simulation.spawn(push(run, port), "a send of a schedule");
}

/// Waits until no send needs `target` any more.
sim::Process<> free_to_write(Run& run, Addresses target) {
  for (std::size_t i = 0; i < run.outgoing.size(); ++i) {
    Outgoing& out = run.outgoing[i];
    while (out.active && out.unsent.overlaps(target)) co_await run.changed.wait();
    if (!out.unsettled.overlaps(target)) continue;
    co_await run.tl.left(static_cast<Port>(i));
    if (!out.active) out.unsettled = {};
  }
}

sim::Process<> receive(Run& run, const plan::Step& step) {
  const Port port = run.wiring.port(run.args.rank, step.peer, step.channel);
  Addresses target = run.at(step.target);
  const Address most = run.piece(port);
  do {
    const Address n = std::min(most, target.end - target.begin);
    Slot slot = co_await run.tl.recv(port);
    if (slot.size().count() != static_cast<std::int64_t>(n))
      throw ModelError(fmt::format("rank {}: a message of {} bytes from rank {}, where {} are to come ({})",
                                   run.args.rank, slot.size().count(), step.peer, n, describe(step)));
    if (n > 0) {
      co_await free_to_write(run, {target.begin, target.begin + n});
      if (step.action == plan::Action::receive_reduce)
        co_await run.tl.reduce(run.args.op, run.args.dtype, target.begin, slot.address(),
                               static_cast<std::int64_t>(n) / run.width);
      else
        co_await run.tl.copy(target.begin, slot.address(), Bytes(static_cast<std::int64_t>(n)));
    }
    co_await run.tl.release(std::move(slot));
    target.begin += n;
  } while (target.begin < target.end);
}

sim::Process<> local(Run& run, const plan::Step& step) {
  const Addresses target = run.at(step.target), source = run.at(step.source);
  co_await free_to_write(run, target);
  if (step.action == plan::Action::reduce)
    co_await run.tl.reduce(run.args.op, run.args.dtype, target.begin, source.begin, step.count());
  else if (target.begin != source.begin)
    co_await run.tl.copy(target.begin, source.begin, Bytes(step.count() * run.width));
}

sim::Process<> run_stream(Run& run, int stream) {
  auto steps = run.schedule.steps(run.args.rank, stream);
  std::int64_t& number = run.streams[static_cast<std::size_t>(stream)].number;
  while (const plan::Step* next = steps.next()) {
    const plan::Step step = *next;
    ++number;
    if (number > 0 && run.schedule.streams > 1) run.changed.fire();
    while (step.after_stream >= 0 && !run.ended(step.after_stream, step.after_step)) co_await run.changed.wait();
    if (!step.moves()) continue;
    if (step.sends())
      co_await send(run, stream, number, step);
    else if (step.receives())
      co_await receive(run, step);
    else
      co_await local(run, step);
  }
  number = INT64_MAX;
  run.changed.fire();
}

}  // namespace

Port Wiring::port(int rank, int peer, int channel) const {
  const auto& mine = ports[static_cast<std::size_t>(rank)];
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (mine[i].peer == peer && mine[i].channel == channel) return static_cast<Port>(i);
  CHECK(false, fmt::format("rank {} has no line to rank {} on channel {}", rank, peer, channel));
}

std::size_t Wiring::most_ports() const {
  std::size_t most = 0;
  for (const auto& p : ports) most = std::max(most, p.size());
  return most;
}

Wiring wire(const plan::Schedule& schedule) {
  Wiring w;
  w.ports.resize(static_cast<std::size_t>(schedule.collective.ranks));
  const auto find = [&](int rank, int peer, int channel) -> Wiring::Line* {
    for (auto& line : w.ports[static_cast<std::size_t>(rank)])
      if (line.peer == peer && line.channel == channel) return &line;
    return nullptr;
  };
  for (int rank = 0; rank < schedule.collective.ranks; ++rank)
    for (int stream = 0; stream < schedule.streams; ++stream) {
      auto steps = schedule.steps(rank, stream);
      while (const plan::Step* s = steps.next()) {
        if (!s->moves() || (!s->sends() && !s->receives())) continue;
        if (!find(rank, s->peer, s->channel)) {
          auto& mine = w.ports[static_cast<std::size_t>(rank)];
          auto& theirs = w.ports[static_cast<std::size_t>(s->peer)];
          mine.push_back({s->peer, s->channel, theirs.size(), false});
          theirs.push_back({rank, s->channel, mine.size() - 1, false});
          CHECK(std::max(mine.size(), theirs.size()) <= 256, "a rank has more than 256 ports");
        }
        if (s->sends()) find(rank, s->peer, s->channel)->sends = true;
      }
    }
  return w;
}

sim::Process<> run_schedule(sim::Simulation& simulation, Endpoint& tl, const plan::Schedule& schedule,
                            const Wiring& wiring, ScheduleArgs args) {
  Run run{simulation, tl, schedule, wiring, args, memory::size_of(args.dtype), {}, {}};
  run.outgoing.resize(wiring.ports[static_cast<std::size_t>(args.rank)].size());
  run.streams.resize(static_cast<std::size_t>(schedule.streams));
  std::vector<sim::ProcessHandle> others;
  for (int i = 1; i < schedule.streams; ++i)
    others.push_back(simulation.spawn(run_stream(run, i), "a stream of a schedule"));
  co_await run_stream(run, 0);
  for (const auto& o : others) co_await o.done();
  for (const Outgoing& o : run.outgoing)
    while (o.active) co_await run.changed.wait();
}

}  // namespace tutti::ccl
