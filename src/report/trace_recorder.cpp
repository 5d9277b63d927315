#include "report/trace_recorder.h"

#include <fmt/format.h>

#include "base/version.h"
#include "report/network_places.h"

namespace tutti::report {
namespace {

Activity activity(const workload::Node& n) {
  using workload::NodeType;
  switch (n.type) {
    case NodeType::comm_send:
      return Activity::send;
    case NodeType::comm_recv:
      return Activity::receive;
    case NodeType::comm_coll:
      return Activity::collective;
    case NodeType::mem_load:
    case NodeType::mem_store:
      return Activity::memory;
    default:
      return Activity::compute;
  }
}

const char* status(workload::RunResult::Status s) {
  switch (s) {
    case workload::RunResult::Status::completed:
      return "completed";
    case workload::RunResult::Status::incomplete:
      return "deadlock";
    case workload::RunResult::Status::mismatch:
      return "mismatch";
    case workload::RunResult::Status::interrupted:
      return "interrupted";
  }
  return "error";
}

LinkRow link(const net::LinkStatistics& l) {
  LinkRow row{l.id, {}, {}, "", l.bytes, l.busy};
  std::string ends = l.id;
  if (const auto colon = ends.find(": "); colon != std::string::npos)
    row.kind = ends.substr(0, colon), ends = ends.substr(colon + 2);
  const auto arrow = ends.find(" -> ");
  row.source = ends.substr(0, arrow);
  if (arrow != std::string::npos) row.destination = ends.substr(arrow + 4);
  return row;
}

}  // namespace

TraceRecorder::TraceRecorder(std::size_t most_rows) : names_(record_.names) {
  record_.slices = Sampled<Slice>(most_rows);
  record_.messages = Sampled<Message>(most_rows);
}

void TraceRecorder::node(std::uint32_t rank, const workload::Trace& trace, std::uint32_t index, Time begin, Time end) {
  const workload::Node& n = trace.nodes[index];
  record_.slices.add({static_cast<std::int32_t>(rank), activity(n), names_.add(trace.name(n)), begin, end});
}

void TraceRecorder::message(std::uint32_t source, std::uint32_t destination, std::uint64_t tag, std::uint64_t bytes,
                            Time posted, Time delivered) {
  Message m;
  m.source = static_cast<std::int32_t>(source), m.destination = static_cast<std::int32_t>(destination);
  m.queue = names_.add(fmt::format("tag {}", tag)), m.bytes = bytes;
  m.posted = m.left = posted, m.arrived = m.received = delivered;
  record_.messages.add(m);
}

Record TraceRecorder::take(const workload::RunResult& result, const std::string& workload, double wall_s) {
  record_.command = "trace", record_.version = version;
  record_.title = fmt::format("{} on {} ranks", workload, result.ranks.size());
  record_.status = status(result.status);
  record_.partial = result.status == workload::RunResult::Status::interrupted;
  record_.makespan = result.makespan, record_.events = result.events, record_.wall_s = wall_s;
  for (const auto& one : result.ranks) {
    RankRow row;
    row.finish = one.finish;
    row.compute = one.time.compute(), row.communication = one.time.comm, row.exposed = one.time.exposed_comm;
    row.idle = one.time.idle, row.bytes_sent = one.bytes_sent, row.bytes_received = one.bytes_received;
    record_.ranks.push_back(row);
  }
  for (const auto& l : result.links) record_.links.push_back(link(l));
  record_.places = network_places(record_.links, result.ranks.size());
  for (const auto& w : result.waits)
    record_.waits.push_back({static_cast<std::int32_t>(w.rank), fmt::format("rank {}", w.rank), w.what,
                             w.on ? std::optional<std::int32_t>(static_cast<std::int32_t>(*w.on)) : std::nullopt,
                             w.since});
  record_.cycle = result.cycle;
  for (const auto& u : result.unmatched)
    record_.error += fmt::format("unmatched {}: rank {} {} tag {}, {} of {} bytes arrived: {}\n", u.kind, u.rank,
                                 u.name, u.tag, u.bytes_arrived, u.bytes_expected, u.hint);
  return std::move(record_);
}

}  // namespace tutti::report
