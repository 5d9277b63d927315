#include "report/machine_recorder.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/version.h"
#include "fabric/layout.h"
#include "memory/dtype.h"
#include "report/interrupt.h"
#include "report/machine_places.h"

namespace tutti::report {

namespace {

const char* status(ExitCode code) {
  switch (code) {
    case ExitCode::ok:
      return "completed";
    case ExitCode::mismatch:
      return "mismatch";
    case ExitCode::deadlock:
      return "deadlock";
    case ExitCode::violation:
      return "violation";
    default:
      return "error";
  }
}

}  // namespace

MachineRecorder::MachineRecorder(std::size_t most_rows) : names_(record_.names) {
  record_.slices = Sampled<Slice>(most_rows);
  record_.messages = Sampled<Message>(most_rows);
}

void MachineRecorder::prepared(host::Runtime& runtime) {
  runtime_ = &runtime;
  device::Machine& machine = runtime.machine();
  rank_.assign(static_cast<std::size_t>(machine.size()), -1);
  rings_.resize(static_cast<std::size_t>(machine.size()));
  last_.assign(static_cast<std::size_t>(runtime.world_size()), Time());
  for (int r = 0; r < runtime.world_size(); ++r) rank_[static_cast<std::size_t>(runtime.pe_of(r))] = r;
  machine.listen(*this);
}

MachineRecorder::Ring& MachineRecorder::ring(const device::MessageKey& key) {
  auto& of_pe = rings_[static_cast<std::size_t>(key.pe)];
  const auto port = static_cast<std::size_t>(key.port);
  if (of_pe.size() <= port) of_pe.resize(port + 1);
  return of_pe[port];
}

Message* MachineRecorder::find(const device::MessageKey& key) {
  Ring& r = ring(key);
  if (key.sequence < r.first || key.sequence - r.first >= r.open.size()) return nullptr;
  return &r.open[key.sequence - r.first];
}

void MachineRecorder::slice(std::int32_t rank, Activity a, std::uint32_t name, Time begin, Time end) {
  record_.slices.add({rank, a, name, begin, end});
  touch(rank, end);
}

void MachineRecorder::send_issued(const device::SendRecord& r, Time t) {
  if ((++calls_ & 1023U) == 0 && InterruptWatch::interrupted())
    runtime_->simulation().fail(std::make_exception_ptr(Interrupted()));
  Ring& ring = this->ring(r.message);
  device::Machine& machine = runtime_->machine();
  const auto from = machine.pe(r.pe).node(), to = machine.pe(r.message.pe).node();
  if (ring.source < 0) {
    ring.source = rank_of(r.pe);
    ring.name = names_.add(name(r.message.port));
    ring.first = r.message.sequence;
    ring.latency = machine.fabric().path_latency(from, to, 0, device::vc_comm);
  }
  const std::int32_t rank = rank_of(r.pe);
  const Time before = last_[static_cast<std::size_t>(rank)];
  // No slot was free until a credit came after the kernel had got here.
  if (ring.last_credit > before && ring.open.size() + 1 >= machine.pe(r.pe).ipcq().queue_pair(r.port).n_slots)
    slice(rank, Activity::wait_credit, ring.name, before, ring.last_credit);
  Message m;
  m.source = ring.source, m.destination = rank_of(r.message.pe), m.queue = ring.name, m.bytes = r.bytes, m.posted = t;
  m.latency = ring.latency;
  m.serialization = machine.fabric().path_latency(from, to, r.bytes, device::vc_comm) - ring.latency;
  ring.open.push_back(m);
  touch(rank, t);
}

void MachineRecorder::source_read(const device::MessageKey& key, std::span<const std::byte>, Time t) {
  if (Message* m = find(key)) m->left = t;
}

void MachineRecorder::slot_written(const device::MessageKey& key, Time t) {
  if (Message* m = find(key)) m->arrived = t;
}

void MachineRecorder::received(const device::ReceiveRecord& r, Time t) {
  Message* m = find(r.message);
  if (!m) return;
  m->received = t;
  const std::int32_t rank = m->destination;
  const Time before = last_[static_cast<std::size_t>(rank)];
  if (m->arrived != never && m->arrived > before)
    slice(rank, Activity::wait_data, names_.add(fmt::format("{} from rank {}", record_.names[m->queue], m->source)),
          before, m->arrived);
  touch(rank, t);
}

void MachineRecorder::released(const device::MessageKey& key, Time t) {
  if (Message* m = find(key)) m->released = t, touch(m->destination, t);
}

void MachineRecorder::credited(const device::MessageKey& first_held, Time t) {
  Ring& r = ring(first_held);
  while (!r.open.empty() && r.first < first_held.sequence) {
    r.open.front().credited = t;
    record_.messages.add(r.open.front());
    r.open.pop_front();
    ++r.first;
  }
  r.last_credit = t;
}

void MachineRecorder::reduced(const device::ReduceRecord& r, Time begin, Time end) {
  slice(rank_of(r.pe), Activity::reduction, names_.add(fmt::format("reduce {}", memory::to_string(r.dtype))), begin,
        end);
}

void MachineRecorder::copied(const device::CopyRecord& r, Time begin, Time end) {
  slice(rank_of(r.pe), Activity::memory, names_.add("copy"), begin, end);
}

void MachineRecorder::gemm_started(const device::GemmRecord& r, std::uint64_t number, Time t) {
  products_.push_back({r.pe, number, t});
}

void MachineRecorder::gemm_ended(const device::GemmRecord& r, std::uint64_t number, Time t) {
  const auto at = std::find_if(products_.begin(), products_.end(),
                               [&](const Product& p) { return p.pe == r.pe && p.number == number; });
  if (at == products_.end()) return;
  record_.slices.add({rank_of(r.pe), Activity::compute,
                      names_.add(fmt::format("matrix product {}x{}x{}", r.m, r.n, r.k)), at->begin, t});
  products_.erase(at);
}

void MachineRecorder::ended(host::Runtime& runtime) {
  for (auto& of_pe : rings_)
    for (Ring& r : of_pe)
      for (const Message& m : r.open) record_.messages.add(m);
  device::Machine& machine = runtime.machine();
  const Time now = runtime.simulation().now();
  for (int r = 0; r < runtime.world_size(); ++r) {
    const device::Pe& pe = machine.pe(runtime.pe_of(r));
    RankRow row;
    row.name = pe.name();
    record_.ranks.push_back(row);
    for (std::size_t d = 0; d < pe.ipcq().ports(); ++d) {
      const auto port = static_cast<device::Direction>(d);
      const auto& wiring = pe.ipcq().wiring(port);
      if (!wiring || !wiring->sends) continue;
      const auto& use = pe.ipcq().use(port);
      const auto& pair = pe.ipcq().queue_pair(port);
      QueuePairRow q{.rank = r,
                     .port = std::string(name(port)),
                     .peer = rank_of(wiring->peer_index),
                     .slots = pair.peer.n_slots,
                     .messages = use.messages,
                     .bytes = use.bytes,
                     .stalls = use.stalls,
                     .most_in_use = use.max_in_use,
                     .stalled = use.stalled};
      if (now > Time()) q.mean_in_use = static_cast<double>(use.slot_ps) / static_cast<double>(now.ps());
      record_.queue_pairs.push_back(q);
    }
  }
  const fabric::Graph& graph = machine.fabric().graph();
  for (fabric::LinkId l = 0; l < graph.links().size(); ++l) {
    const auto use = machine.fabric().statistics(l);
    if (use.bytes == 0) continue;
    const fabric::Link& link = graph.links()[l];
    record_.links.push_back({graph.name(l), graph.nodes()[link.source].path, graph.nodes()[link.destination].path,
                             link.kind, use.bytes, use.busy});
  }
  record_.places = machine_places(graph, record_.links);
  record_.makespan = now;
  runtime_ = nullptr;
}

Record MachineRecorder::take(const host::BenchmarkResult& result, double wall_s) {
  record_.command = "run", record_.version = version;
  record_.title = fmt::format("{}: {} of {} a rank on {} ranks", result.algorithm, result.collective,
                              to_string(result.bytes), result.ranks);
  record_.status = status(result.status);
  record_.partial = result.status == ExitCode::deadlock && InterruptWatch::interrupted();
  record_.error = result.error;
  record_.events = result.events, record_.wall_s = wall_s;
  record_.settings = result.inputs;
  if (result.makespan > Time() && result.status != ExitCode::deadlock) record_.makespan = result.makespan;
  for (std::size_t i = 0; i < result.rank.size() && i < record_.ranks.size(); ++i) {
    RankRow& row = record_.ranks[i];
    const auto& one = result.rank[i];
    row.finish = one.finish;
    row.compute = one.time.reduction + one.time.compute;
    row.communication = one.time.total() - row.compute;
    row.exposed = one.time.credit + one.time.credit_emit + one.time.data() + one.time.barrier;
    if (one.finish && record_.makespan > *one.finish) row.idle = record_.makespan - *one.finish;
    row.bytes_sent = one.bytes_sent, row.bytes_received = one.bytes_received;
  }
  for (const auto& w : result.waits) {
    record_.waits.push_back({w.rank, w.pe, w.what, w.on, w.since});
    record_.slices.add({w.rank, w.what.starts_with("send") ? Activity::wait_credit : Activity::wait_data,
                        names_.add(w.what), w.since, never});
  }
  for (const auto& b : result.bounds.all) record_.bounds.push_back({b.name, b.time, b.why});
  return std::move(record_);
}

}  // namespace tutti::report
