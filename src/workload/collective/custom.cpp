#include "workload/collective/custom.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "workload/trace_format.h"

namespace tutti::workload {
namespace {
constexpr std::uint64_t native_tags = 500'000'000;
}

/// The algorithm under way on one rank.
struct CustomCollectives::Run {
  CustomCollectives* custom;
  Stream* stream;
  const Trace* trace;
  Resolver resolver;
  std::vector<std::uint32_t> freed;

  static void on_done(void* owner, std::uint32_t node) {
    Run& r = *static_cast<Run*>(owner);
    r.custom->finished(r, node);
  }
  [[noreturn]] void refuse(std::uint32_t node, const std::string& what) const {
    const Node& n = trace->nodes[node];
    throw ModelError(fmt::format("{}: node {} '{}': {}", trace->file, n.id, trace->name(n), what));
  }
};

CustomCollectives::CustomCollectives(CollectiveEngine& engine) : engine_(engine) {}
CustomCollectives::~CustomCollectives() = default;

void CustomCollectives::delay_elapsed(RankClock::Item& item) {
  auto* const d = static_cast<Delay*>(&item);
  Run& run = *d->run;
  const std::uint32_t node = d->node;
  run.custom->delays_.give(d);
  run.custom->finished(run, node);
}

std::string CustomCollectives::find(const std::string& name) const {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::path(name).is_absolute() || fs::exists(name, ignored)) return name;
  const std::string& system = engine_.system_.path;
  if (system.empty()) return name;
  for (fs::path folder = fs::absolute(system, ignored).parent_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / name, ignored)) return (folder / name).string();
    if (folder == folder.parent_path()) break;
  }
  throw ModelError(
      fmt::format("custom algorithm: {} is neither in the working directory nor beside {} nor in a folder "
                  "above it",
                  name, system));
}

const Trace& CustomCollectives::program(const std::string& prefix, std::uint32_t position) {
  const std::string name = fmt::format("{}.{}.et", prefix, position);
  auto& slot = programs_[name];
  if (!slot) {
    const std::string file = find(name);
    ReadResult read = read_trace(file);
    if (!read.faults.ok()) throw ModelError("custom algorithm: " + read.faults.text());
    if (!Resolver(read.trace).cycle().empty())
      throw ModelError(fmt::format("custom algorithm: {}: the dependencies go in a circle", file));
    slot = std::make_unique<const Trace>(std::move(read.trace));
  }
  return *slot;
}

void CustomCollectives::start(Stream& s) {
  const CommGroup& group = *s.call->plan->group;
  std::uint32_t position = s.rank->rank;
  if (!group.ranks.empty()) {
    position = group.position[s.rank->rank];
    if (engine_.rules_.astra)  // G23
      position = static_cast<std::uint32_t>(
          std::count_if(group.ranks.begin(), group.ranks.end(), [&](std::uint32_t r) { return r < s.rank->rank; }));
  }
  const Trace& trace = program(s.call->request.custom, position);
  if (trace.nodes.empty()) throw ModelError(trace.file + ": a custom algorithm without a step");
  Run& run = *(runs_[&s] = std::make_unique<Run>(Run{this, &s, &trace, Resolver(trace), {}}));
  for (const std::uint32_t node : run.resolver.roots()) issue(run, node);
}

std::uint64_t CustomCollectives::message_bytes(const Run& run, std::uint32_t node) const {
  using enum Attribute;
  const Node& n = run.trace->nodes[node];
  if (n.has(comm_size)) {
    if (n.comm_size < 0) run.refuse(node, "negative comm_size");
    return static_cast<std::uint64_t>(n.comm_size);
  }
  if (engine_.rules_.custom_ignores_size || !n.has(msg_chunk_cnt) || !n.has(total_chunk_cnt))
    run.refuse(node, engine_.rules_.custom_ignores_size
                         ? "comm_size is needed"
                         : "comm_size, or msg_chunk_cnt and total_chunk_cnt, are needed");
  const std::uint64_t chunks = n.num_ops, all = n.tensor_size;
  if (all == 0 || chunks > all) run.refuse(node, fmt::format("msg_chunk_cnt {} of total_chunk_cnt {}", chunks, all));
  const CollectiveRequest& q = run.stream->call->request;
  const std::size_t members = q.plan.group->ranks.empty() ? engine_.ranks_total_ : q.plan.group->ranks.size();
  __extension__ using Wide = unsigned __int128;
  const Wide buffer = Wide{q.bytes} * (q.plan.op == CollectiveOp::all_gather ? members : 1);
  const Wide bytes = (buffer * chunks + all - 1) / all;
  if (bytes > INT64_MAX) run.refuse(node, "a message of more than 2^63 bytes");
  return static_cast<std::uint64_t>(bytes);
}

void CustomCollectives::issue(Run& run, std::uint32_t node) {
  Stream& s = *run.stream;
  const Node& n = run.trace->nodes[node];
  const CommGroup& group = *s.call->plan->group;
  const auto rank_of = [&](std::int32_t position) {
    const std::size_t members = group.ranks.empty() ? engine_.ranks_total_ : group.ranks.size();
    if (position < 0 || static_cast<std::size_t>(position) >= members)
      run.refuse(node, fmt::format("position {} is not in the group of {}", position, members));
    return group.ranks.empty() ? static_cast<std::uint32_t>(position) : group.ranks[static_cast<std::size_t>(position)];
  };
  const auto envelope = [&](std::uint32_t source, std::uint32_t destination) {
    const std::uint64_t bytes = message_bytes(run, node);
    if (!n.has(Attribute::comm_tag) || n.comm_tag < 0) run.refuse(node, "a comm_tag of 0 or more is needed");
    if (source == destination && engine_.rules_.astra)
      run.refuse(node, "a message to oneself, on which ASTRA-sim aborts");
    match::Key key{s.space, static_cast<std::uint64_t>(n.comm_tag), source, destination};
    if (engine_.rules_.astra) key.tag %= native_tags;
    return Envelope{key, bytes, s.call->request.node};
  };
  switch (n.type) {
    case NodeType::comm_send: {
      if (!n.has(Attribute::comm_dst)) run.refuse(node, "comm_dst is missing");
      return engine_.messenger_.send(envelope(s.rank->rank, rank_of(n.comm_dst)), {&Run::on_done, &run, node});
    }
    case NodeType::comm_recv: {
      if (!n.has(Attribute::comm_src)) run.refuse(node, "comm_src is missing");
      return engine_.messenger_.receive(envelope(rank_of(n.comm_src), s.rank->rank), {&Run::on_done, &run, node});
    }
    case NodeType::comp: {
      const bool no_time = n.duration_ns == 0 && engine_.rules_.astra;
      return s.rank->clock->after(Time::ns(no_time ? 1 : static_cast<std::int64_t>(n.duration_ns)),
                                  *delays_.take(run, node));
    }
    default:
      run.refuse(node, fmt::format("type {} cannot be a step of a custom algorithm", n.raw_type));
  }
}

void CustomCollectives::finished(Run& run, std::uint32_t node) {
  run.freed.clear();
  run.resolver.finish(node, run.freed);
  const std::vector<std::uint32_t> freed = run.freed;
  if (run.resolver.finished() == run.trace->nodes.size()) {
    Stream& s = *run.stream;
    runs_.erase(&s);
    return engine_.phase_finished(s);
  }
  for (const std::uint32_t next : freed) issue(run, next);
}

}  // namespace tutti::workload
