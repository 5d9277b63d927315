#include "workload/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace tutti::workload {
namespace {
/// A fault that already names its node.
struct NodeError : ModelError {
  using ModelError::ModelError;
};
constexpr std::int64_t native_tags = 500'000'000;  // ASTRA-sim: tags of sends and receives are taken modulo this
}  // namespace

RankProgram::RankProgram(Machine& machine, const Trace& trace, std::uint32_t rank, RankClock& clock)
    : machine_(machine),
      trace_(trace),
      rank_(rank),
      clock_(clock),
      resolver_(trace),
      since_(trace.nodes.size(), Time::max()) {
  if (machine.messenger.matcher().policy() == match::Policy::message)
    order_ = ProgramOrder(trace, !machine.ignore_tags);
  const Slots& s = machine.slots;
  free_slots_[0] = UINT32_MAX;
  free_slots_[static_cast<int>(Slot::cpu)] = s.cpu;
  free_slots_[static_cast<int>(Slot::compute)] = s.compute;
  free_slots_[static_cast<int>(Slot::comm)] = s.comm;
  free_slots_[static_cast<int>(Slot::memory)] = s.memory;
  for (const std::uint32_t node : resolver_.roots()) make_ready(node);
}

void RankProgram::refuse(std::uint32_t node, const std::string& what) const {
  const Node& n = trace_.nodes[node];
  throw NodeError(fmt::format("{}: error: node {} '{}': {}", trace_.file, n.id, trace_.name(n), what));
}

RankProgram::Slot RankProgram::slot_of(const Node& n) const {
  if (n.is_cpu_op) return Slot::cpu;
  switch (n.type) {
    case NodeType::comp:
      return Slot::compute;
    case NodeType::comm_recv:
      return Slot::none;
    case NodeType::mem_load:
    case NodeType::mem_store:
      return machine_.rules.memory_in_comm_slot ? Slot::comm : Slot::memory;
    case NodeType::comm_send:
    case NodeType::comm_coll:
      return Slot::comm;
    default:
      return machine_.rules.memory_in_comm_slot ? Slot::comm : Slot::none;
  }
}

TimeAccount::Kind RankProgram::kind_of(const Node& n) const {
  if (n.is_cpu_op) return TimeAccount::Kind::cpu;
  switch (n.type) {
    case NodeType::comm_send:
    case NodeType::comm_recv:
    case NodeType::comm_coll:
      return machine_.system.replay_only ? TimeAccount::Kind::gpu : TimeAccount::Kind::comm;
    case NodeType::mem_load:
    case NodeType::mem_store:
      return TimeAccount::Kind::memory;
    default:
      return TimeAccount::Kind::gpu;
  }
}

void RankProgram::make_ready(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  ready_[static_cast<int>(slot_of(n))].emplace(n.id, node);
}

void RankProgram::fire() {
  issue_ready();
  finish_if_done();
}

void RankProgram::issue_ready() {
  // Nodes that finish inside this loop free children and slots. In ASTRA-sim (G9) the loop goes once over those that
  // were free at its start; here it goes on until nothing can start.
  for (;;) {
    issuing_ = true;
    for (;;) {
      int best = -1;
      for (int k = 0; k < slot_kinds; ++k)
        if (!ready_[k].empty() && free_slots_[k] != 0 && (best < 0 || ready_[k].top() < ready_[best].top())) best = k;
      if (best < 0) break;
      const std::uint32_t node = ready_[best].top().second;
      ready_[best].pop();
      issue(node);
    }
    issuing_ = false;
    if (freed_.empty()) return;
    for (const std::uint32_t node : freed_) make_ready(node);
    freed_.clear();
    if (machine_.rules.one_pass_issue) return;
  }
}

void RankProgram::issue(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  const auto slot = slot_of(n);
  if (slot != Slot::none) --free_slots_[static_cast<int>(slot)];
  account_.begin(kind_of(n), machine_.simulation.now());
  since_[node] = machine_.simulation.now();
  ++running_count_;
  try {
    dispatch(node);
  } catch (const NodeError&) {
    throw;
  } catch (const ModelError& e) {
    refuse(node, e.what());
  }
}

void RankProgram::run_for(std::uint32_t node, Time time) { clock_.after(time, *timers_.take(*this, node)); }

Time RankProgram::scaled(Time time) const {
  const double factor = machine_.compute_scale.of(rank_);
  if (factor == 1) return time;
  const double ps = static_cast<double>(time.ps()) * factor;
  if (ps > static_cast<double>(sim::Simulation::horizon().ps()))
    throw ModelError("with its compute scale the node takes longer than 53 days");
  return Time::ps(std::llround(ps));
}

void RankProgram::timer_elapsed(RankClock::Item& item) {
  auto& t = static_cast<Timer&>(item);
  RankProgram& program = *t.program;
  const std::uint32_t node = t.node;
  program.timers_.give(&t);
  program.complete(node);
}

void RankProgram::dispatch(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  if (machine_.system.replay_only) return run_for(node, machine_.compute.replay(n));
  if (n.is_comm() && n.is_cpu_op) refuse(node, "a communication node cannot run on the CPU (is_cpu_op)");
  switch (n.type) {
    case NodeType::comp:
      if (!machine_.compute.uses_roofline(n)) return run_for(node, scaled(machine_.compute.replay(n)));
      if (!n.has(Attribute::num_ops) || !n.has(Attribute::tensor_size))
        refuse(node, "roofline needs num_ops and tensor_size");
      if (n.tensor_size == 0) return release(node);
      return run_for(node, scaled(machine_.compute.roofline(n)));
    case NodeType::mem_load:
    case NodeType::mem_store:
      if (!n.has(Attribute::tensor_size)) refuse(node, "tensor_size is missing");
      return machine_.memory.access(rank_, n.tensor_size, clock_, {&RankProgram::on_done, this, node});
    case NodeType::comm_send:
      return send(node);
    case NodeType::comm_recv:
      return receive(node);
    case NodeType::comm_coll:
      return collective(node);
    case NodeType::invalid:
      return release(node);
    case NodeType::metadata:
      if (machine_.rules.astra) refuse(node, "a METADATA node, on which ASTRA-sim aborts");
      return release(node);
    case NodeType::unknown:
      refuse(node, fmt::format("unknown type {}", n.raw_type));
  }
}

std::uint64_t RankProgram::comm_bytes(std::uint32_t node) const {
  const Node& n = trace_.nodes[node];
  if (!n.has(Attribute::comm_size)) refuse(node, "comm_size is missing");
  if (n.comm_size < 0) refuse(node, fmt::format("comm_size is {}", n.comm_size));
  return static_cast<std::uint64_t>(n.comm_size);
}

match::Key RankProgram::key(std::uint32_t node, std::uint32_t source, std::uint32_t destination) const {
  const Node& n = trace_.nodes[node];
  if (machine_.ignore_tags) return {order_.number(node), 0, source, destination};
  if (!n.has(Attribute::comm_tag)) refuse(node, "comm_tag is missing");
  const std::int64_t tag = machine_.rules.astra ? n.comm_tag % native_tags : n.comm_tag;
  if (tag < 0) refuse(node, fmt::format("comm_tag is {}", n.comm_tag));
  if (source == destination && machine_.rules.astra) refuse(node, "a message to oneself, on which ASTRA-sim aborts");
  return {order_.number(node), static_cast<std::uint64_t>(tag), source, destination};
}

void RankProgram::send(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  if (n.has(Attribute::comm_src) && n.comm_src != static_cast<std::int32_t>(rank_))
    refuse(node, fmt::format("comm_src is {}, but this is rank {}", n.comm_src, rank_));
  if (!n.has(Attribute::comm_dst)) refuse(node, "comm_dst is missing");
  if (n.comm_dst < 0 || static_cast<std::uint64_t>(n.comm_dst) >= machine_.collectives.ranks())
    refuse(node, fmt::format("comm_dst {} is not a rank", n.comm_dst));
  const match::Key k = key(node, rank_, static_cast<std::uint32_t>(n.comm_dst));
  machine_.messenger.send({k, comm_bytes(node), n.id}, {&RankProgram::on_done, this, node});
}

void RankProgram::receive(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  if (n.has(Attribute::comm_dst) && n.comm_dst != static_cast<std::int32_t>(rank_))
    refuse(node, fmt::format("comm_dst is {}, but this is rank {}", n.comm_dst, rank_));
  if (!n.has(Attribute::comm_src)) refuse(node, "comm_src is missing");
  if (n.comm_src < 0 || static_cast<std::uint64_t>(n.comm_src) >= machine_.collectives.ranks())
    refuse(node, fmt::format("comm_src {} is not a rank", n.comm_src));
  const match::Key k = key(node, static_cast<std::uint32_t>(n.comm_src), rank_);
  machine_.messenger.receive({k, comm_bytes(node), n.id}, {&RankProgram::on_done, this, node});
}

void RankProgram::collective(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  if (!n.has(Attribute::comm_type)) refuse(node, "comm_type is missing");
  CollectiveRequest q;
  switch (n.collective) {
    case CollectiveKind::all_reduce:
      q.plan.op = CollectiveOp::all_reduce;
      break;
    case CollectiveKind::all_gather:
      q.plan.op = CollectiveOp::all_gather;
      break;
    case CollectiveKind::reduce_scatter:
      q.plan.op = CollectiveOp::reduce_scatter;
      break;
    case CollectiveKind::all_to_all:
      q.plan.op = CollectiveOp::all_to_all;
      break;
    case CollectiveKind::broadcast:
      if (machine_.rules.astra) return run_for(node, machine_.compute.replay(n));
      q.plan.op = CollectiveOp::broadcast;
      break;
    case CollectiveKind::reduce:
      q.plan.op = CollectiveOp::reduce;
      break;
    case CollectiveKind::gather:
      q.plan.op = CollectiveOp::gather;
      break;
    case CollectiveKind::scatter:
      q.plan.op = CollectiveOp::scatter;
      break;
    case CollectiveKind::barrier:
      q.plan.op = CollectiveOp::barrier;
      break;
    case CollectiveKind::reduce_scatter_block:
      q.plan.op = CollectiveOp::reduce_scatter;
      break;
    case CollectiveKind::unknown:
      refuse(node, fmt::format("collective type {} ({}) is not supported", n.raw_collective, to_string(n.collective)));
  }
  if (machine_.rules.astra &&
      (static_cast<int>(q.plan.op) >= astra_collective_ops || n.collective == CollectiveKind::reduce_scatter_block))
    refuse(node, fmt::format("collective type {} ({}) is not supported", n.raw_collective, to_string(n.collective)));
  q.plan.group = machine_.groups.find(trace_.group(n));
  if (!q.plan.group)
    refuse(node, fmt::format("unknown group '{}'; known: {}", trace_.group(n), machine_.groups.names()));
  if (n.has(Attribute::involved_dim)) {
    q.plan.dimensions = n.dim_mask;
    q.plan.dimension_count = n.dim_count;
  } else if ((n.wrong_kind & bit(Attribute::involved_dim)) != 0) {
    refuse(node, "involved_dim must be a list of booleans");
  }
  if (q.plan.group->id != 0) q.plan.dimensions.reset();  // a group says itself who takes part
  q.bytes = n.collective == CollectiveKind::barrier ? 0 : comm_bytes(node);
  q.root = root(node, *q.plan.group);
  q.node = n.id;
  q.priority = n.comm_priority;
  q.running = &running_count_;
  const auto& implementation = machine_.system.of(q.plan.op);
  if (const auto it = machine_.system.per_node_custom.find(n.id); it != machine_.system.per_node_custom.end())
    q.custom = it->second;
  else
    q.custom = implementation.custom;
  q.done = {&RankProgram::on_done, this, node};
  machine_.collectives.start(rank_, std::move(q));
}

std::uint32_t RankProgram::root(std::uint32_t node, const CommGroup& group) const {
  const Node& n = trace_.nodes[node];
  const std::uint32_t first = group.ranks.empty() ? 0 : group.ranks.front();
  const bool from = n.collective == CollectiveKind::broadcast || n.collective == CollectiveKind::scatter;
  const bool to = n.collective == CollectiveKind::reduce || n.collective == CollectiveKind::gather;
  if (machine_.rules.astra || !(from || to) || !n.has(from ? Attribute::comm_src : Attribute::comm_dst)) return first;
  const std::int32_t rank = from ? n.comm_src : n.comm_dst;
  if (rank < 0 || static_cast<std::uint64_t>(rank) >= machine_.collectives.ranks() ||
      !group.member(static_cast<std::uint32_t>(rank)))
    refuse(node, fmt::format("its root, rank {}, is not in the group", rank));
  return static_cast<std::uint32_t>(rank);
}

void RankProgram::release(std::uint32_t node) {
  const Node& n = trace_.nodes[node];
  const auto slot = slot_of(n);
  if (slot != Slot::none) ++free_slots_[static_cast<int>(slot)];
  account_.end(kind_of(n), machine_.simulation.now());
  if (machine_.recorder) [[unlikely]]
    machine_.recorder->node(rank_, trace_, node, since_[node], machine_.simulation.now());
  since_[node] = Time::max();
  --running_count_;
  const std::size_t before = freed_.size();
  resolver_.finish(node, freed_);
  if (!issuing_) {
    for (std::size_t i = before; i < freed_.size(); ++i) make_ready(freed_[i]);
    freed_.resize(before);
  }
}

void RankProgram::complete(std::uint32_t node) {
  // A network that completes a receive inside the posting call comes here from the loop of issue_ready().
  const bool nested = std::exchange(issuing_, false);
  release(node);
  issue_ready();
  issuing_ = nested;
  if (!nested) finish_if_done();
}

void RankProgram::finish_if_done() {
  if (finished_ || running_count_ != 0 || resolver_.finished() != trace_.nodes.size()) return;
  finished_ = true;
  finish_time_ = machine_.simulation.now();
  account_.advance(finish_time_);
}

std::vector<RankProgram::Running> RankProgram::running() const {
  std::vector<Running> all;
  for (std::uint32_t i = 0; i < since_.size(); ++i)
    if (since_[i] != Time::max()) all.push_back({i, since_[i]});
  std::sort(all.begin(), all.end(),
            [](const Running& x, const Running& y) { return std::pair(x.since, x.node) < std::pair(y.since, y.node); });
  return all;
}

}  // namespace tutti::workload
