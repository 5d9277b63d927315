#include "workload/collective/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "workload/collective/custom.h"
#include "workload/collective/lockstep.h"
#include "workload/collective/planned.h"

namespace tutti::workload {
namespace {

constexpr std::uint64_t tag_space =
    500'000'000;  // collectives have tags from here, ASTRA-sim's sends and receives below
constexpr std::uint64_t group_space = 1'000'000;  // ASTRA-sim: first stream of group id is id times this
constexpr std::uint64_t most_chunks = 1U << 24;

}  // namespace

CollectiveEngine::CollectiveEngine(sim::Simulation& simulation, Messenger& messenger, const SystemConfig& system,
                                   const Rules& rules, std::vector<std::uint32_t> sizes,
                                   std::uint32_t queues_per_dimension, bool shortcuts)
    : simulation_(simulation),
      messenger_(messenger),
      system_(system),
      rules_(rules),
      sizes_(std::move(sizes)),
      queues_per_dimension_(queues_per_dimension),
      running_limit_((system.active_chunks + queues_per_dimension - 1) / queues_per_dimension),
      custom_(std::make_unique<CustomCollectives>(*this)),
      planned_(std::make_unique<PlannedCollectives>(*this)) {
  for (const std::uint32_t s : sizes_) ranks_total_ *= s;
  if (shortcuts && !messenger.rendezvous()) lockstep_ = std::make_unique<Lockstep>(*this);
}
CollectiveEngine::~CollectiveEngine() = default;

void CollectiveEngine::attach(std::vector<RankClock>& clocks) {
  ranks_.resize(clocks.size());
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    ranks_[i].rank = static_cast<std::uint32_t>(i);
    ranks_[i].clock = &clocks[i];
    ranks_[i].engine = this;
  }
}

void CollectiveEngine::start(std::uint32_t rank, CollectiveRequest request) {
  EngineRank& r = ranks_[rank];
  const CommGroup& group = *request.plan.group;
  if (!group.member(rank)) throw ModelError(fmt::format("rank {} is not a member of group '{}'", rank, group.name));
  if (request.done.call == nullptr) throw InternalError("a collective without a completion");
  const std::uint64_t number = issued_++;
  Call& call = *(calls_[number] = std::make_unique<Call>());
  call.plan = plan_for(r, request);
  call.request = std::move(request);
  call.rank = rank;
  call.number = number;
  call.since = simulation_.now();
  if (!rules_.shared_stream_counter) call.sequence = r.counters[group.id]++;
  if (!rules_.unchecked_collectives) compare(call);
  switch (system_.scheduling) {
    case SystemConfig::Scheduling::lifo:
      call.priority = r.lifo++;
      break;
    case SystemConfig::Scheduling::fifo:
      call.priority = r.fifo--;
      break;
    case SystemConfig::Scheduling::explicit_priority:
      call.priority = call.request.priority;
      break;
  }
  make_chunks(r, call);
}

std::shared_ptr<const Plan> CollectiveEngine::plan_for(EngineRank& r, CollectiveRequest& request) {
  const CommGroup& group = *request.plan.group;
  const int op = static_cast<int>(request.plan.op);
  const bool caches = rules_.cached_group_plans && group.id != 0;
  if (caches) {
    if (const auto it = r.cached.find({group.id, op}); it != r.cached.end()) {
      request.custom = it->second.second;
      return it->second.first;
    }
  }
  std::shared_ptr<const Plan> plan;
  if (!request.custom.empty()) {
    auto made = std::make_shared<Plan>(Plan{&group, request.plan.op, !group.whole_machine, {}});
    made->phases.push_back({request.plan.op,
                            {},
                            0,
                            group.whole_machine ? ranks_total_ : static_cast<std::uint32_t>(group.ranks.size()),
                            1,
                            Phase::Lane::all,
                            -1});
    plan = std::move(made);
  } else {
    const auto dimensions = request.plan.dimensions;
    auto& slot = plans_[{group.id, op, dimensions ? std::int64_t{*dimensions} : -1, request.plan.dimension_count}];
    if (!slot) slot = std::make_shared<const Plan>(make_plan(request.plan, sizes_, system_, rules_));
    plan = slot;
  }
  if (caches) r.cached[{group.id, op}] = {plan, request.custom};
  return plan;
}

void CollectiveEngine::compare(const Call& call) {
  const CollectiveRequest& q = call.request;
  const CommGroup* const group = q.plan.group;
  const std::uint32_t members = group->whole_machine ? ranks_total_ : static_cast<std::uint32_t>(group->ranks.size());
  const auto [it, first] = agreed_.try_emplace(
      {group, call.sequence}, Agreed{q.plan.op, q.bytes, q.node, q.plan.dimensions, call.rank, q.custom, q.root, 0});
  Agreed& a = it->second;
  if (!first && (a.op != q.plan.op || a.bytes != q.bytes || a.dimensions != q.plan.dimensions || a.custom != q.custom ||
                 a.root != q.root)) {
    const auto more = [&](const std::optional<std::uint32_t>& d, std::uint32_t root) {
      return (d ? fmt::format(", involved_dim {:b}", *d) : std::string()) +
             (a.root != q.root ? fmt::format(", root {}", root) : std::string());
    };
    throw ModelError(fmt::format(
        "collective {} of group '{}' differs: rank {} node {} is {} of {} bytes{}, rank {} node {} is {} of {} bytes{}",
        call.sequence, group->name, a.rank, a.node, to_string(a.op), a.bytes, more(a.dimensions, a.root), call.rank,
        q.node, to_string(q.plan.op), q.bytes, more(q.plan.dimensions, q.root)));
  }
  if (++a.joined == members) agreed_.erase(it);
}

std::uint64_t CollectiveEngine::next_number(EngineRank& r, const CommGroup& group) {
  if (group.id == 0) return r.counters[0]++;
  ++r.counters[0];  // G3
  auto& own = r.counters.try_emplace(group.id, group.id * group_space).first->second;
  return own++;
}

void CollectiveEngine::make_chunks(EngineRank& r, Call& call) {
  const CollectiveRequest& q = call.request;
  const bool gathers = q.plan.op == CollectiveOp::all_gather;
  if (call.plan->phases.empty()) {
    if (rules_.astra)
      throw ModelError("no dimension with more than one rank takes part: ASTRA-sim never completes this collective");
    return complete_later(r, call);
  }
  if (!q.custom.empty()) {
    if (rules_.astra && system_.splits != 1)
      throw ModelError(
          "a custom algorithm needs preferred-dataset-splits 1: with more, ASTRA-sim never completes the collective");
    call.chunks = 1;
    take_turns(r, call);
    return make_chunk(r, call, 0, q.bytes);
  }
  if (!rules_.free_reduction && !(system_.local_mem_bw > 0) &&
      (q.plan.op == CollectiveOp::all_reduce || q.plan.op == CollectiveOp::reduce_scatter ||
       q.plan.op == CollectiveOp::reduce))
    throw ModelError(fmt::format("{} needs local-mem-bw above 0 in the system file", to_string(q.plan.op)));
  if (rules_.full_size_remainder) {
    std::uint64_t size = q.bytes, chunk = size / system_.splits;
    if (!gathers && chunk < ranks_total_) {
      chunk = ranks_total_;
      size = chunk * system_.splits;
    }
    if (chunk == 0)
      throw ModelError(fmt::format("all-gather of {} bytes in {} chunks: ASTRA-sim never ends", size, system_.splits));
    call.chunks = size / chunk + (size % chunk != 0);
    if (call.chunks > most_chunks) throw ModelError(fmt::format("{} chunks; at most {}", call.chunks, most_chunks));
    take_turns(r, call);
    const std::uint64_t chunks = call.chunks;
    for (std::uint64_t c = 0; c < chunks; ++c) make_chunk(r, call, static_cast<std::uint32_t>(c), chunk);
    return;
  }
  if (q.plan.op == CollectiveOp::barrier) {
    call.chunks = 1;
    take_turns(r, call);
    return make_chunk(r, call, 0, 0);
  }
  if (q.bytes == 0) return complete_later(r, call);
  call.chunks = std::min(system_.splits, q.bytes);
  if (call.chunks > most_chunks) throw ModelError(fmt::format("{} chunks; at most {}", call.chunks, most_chunks));
  take_turns(r, call);
  const Blocks chunks{q.bytes, static_cast<std::uint32_t>(call.chunks)};
  for (std::uint32_t c = 0; c < chunks.n; ++c) make_chunk(r, call, c, chunks.size(c));
}

std::uint32_t CollectiveEngine::lane_size(Phase::Lane lane) const {
  const std::uint32_t half = queues_per_dimension_ / 2;
  switch (lane) {
    case Phase::Lane::all:
      return queues_per_dimension_;
    case Phase::Lane::first_half:
      return std::max(half, 1U);
    case Phase::Lane::second_half:
      return queues_per_dimension_ - half;
  }
  return 1;
}

void CollectiveEngine::take_turns(EngineRank& r, Call& call) {
  QueueSet& set = queue_set(r, *call.plan->group);
  const auto n = static_cast<std::uint32_t>(call.chunks);
  const auto& phases = call.plan->phases;
  const bool custom = !call.request.custom.empty();
  std::map<std::uint32_t, std::uint32_t> trees;
  for (const Phase& p : phases) {
    QueueSet::Turns& t = set.turns[p.dimension];
    std::uint32_t& turn = p.lane == Phase::Lane::all          ? t.all
                          : p.lane == Phase::Lane::first_half ? t.first_half
                                                              : t.second_half;
    call.queue_turn.push_back(custom ? 0 : turn);
    if (!custom) turn = (turn + n) % lane_size(p.lane);
    const bool tree = !custom && p.algorithm.kind == Algorithm::double_binary_tree;
    call.tree_turn.push_back(
        tree ? r.tree_turns[{static_cast<int>(call.request.plan.op), p.dimension}] + trees[p.dimension]++ : 0);
  }
  for (const Phase& p : phases) call.tree_turns_a_chunk.push_back(trees.count(p.dimension) ? trees[p.dimension] : 0);
  for (const auto& [dimension, a_chunk] : trees)
    r.tree_turns[{static_cast<int>(call.request.plan.op), dimension}] += a_chunk * n;
}

void CollectiveEngine::make_chunk(EngineRank& r, Call& call, std::uint32_t chunk, std::uint64_t bytes) {
  Stream& s = *streams_.take();
  const CommGroup& group = *call.plan->group;
  s.call = &call;
  s.rank = &r;
  s.chunk = chunk;
  s.chunk_bytes = s.data = bytes;
  if (rules_.shared_stream_counter) {
    s.tag = tag_space + next_number(r, group) % tag_space;
  } else {
    s.space = (std::uint64_t{group.index} + 1) << 32 | (call.sequence & 0xffffffffU);
    s.tag = std::uint64_t{chunk} << 16;
    QueueSet& set = queue_set(r, group);
    s.older = set.youngest;
    (set.youngest ? set.youngest->younger : set.oldest) = &s;
    set.youngest = &s;
  }
  ++chunks_run_;
  enter_queue(s);
  start_waiting(*s.queue);
  if (!rules_.arrival_order) start_oldest(queue_set(r, group));
}

void CollectiveEngine::complete_later(EngineRank& r, Call& call) {
  Step& step = *steps_.take();
  step.engine = this;
  step.call = &call;
  r.clock->after(Time(), step);
}

void CollectiveEngine::finish_call(Call& call) {
  const Completion done = call.request.done;
  const auto it = calls_.find(call.number);
  const std::unique_ptr<Call> keep = std::move(it->second);
  calls_.erase(it);
  done.call(done.owner, done.note);
}

std::vector<CollectiveEngine::Pending> CollectiveEngine::pending() const {
  std::vector<Pending> all;
  for (const auto& [number, call] : calls_) {
    const CommGroup& group = *call->plan->group;
    std::string text = fmt::format("{} of {} bytes", to_string(call->request.plan.op), call->request.bytes);
    if (group.id != 0) text += fmt::format(" in group '{}'", group.name);
    text += fmt::format(", {} of {} chunks done", call->finished, call->chunks);
    if (const auto it = agreed_.find({&group, call->sequence}); it != agreed_.end() && !rules_.unchecked_collectives)
      text += fmt::format("; {} of {} ranks have issued it", it->second.joined,
                          group.whole_machine ? ranks_total_ : group.ranks.size());
    all.push_back({call->rank, call->request.node, std::move(text), call->since});
  }
  return all;
}

QueueSet& CollectiveEngine::queue_set(EngineRank& r, const CommGroup& group) {
  QueueSet& set = r.queues[rules_.arrival_order ? 0 : group.id];
  if (set.queues.empty()) {
    set.queues.resize(sizes_.size() * queues_per_dimension_);
    set.turns.resize(sizes_.size());
  }
  return set;
}

void CollectiveEngine::enter_queue(Stream& s) {
  const Phase& p = phase(s);
  const std::uint32_t turn = (s.call->queue_turn[s.phase] + s.chunk) % lane_size(p.lane);
  const std::uint32_t half = queues_per_dimension_ / 2;
  const std::uint32_t index = p.lane == Phase::Lane::second_half ? half + turn : turn;
  s.direction =
      p.lane == Phase::Lane::second_half || (p.lane == Phase::Lane::all && queues_per_dimension_ > 1 && index >= half)
          ? -1
          : 1;
  s.tree_parity = (s.call->tree_turn[s.phase] + s.chunk * s.call->tree_turns_a_chunk[s.phase]) % 2;
  ChunkQueue& q = queue_set(*s.rank, *s.call->plan->group).queues[p.dimension * queues_per_dimension_ + index];
  s.queue = &q;
  s.started = false;
  // By arrival, behind those of equal priority; or in the order that all ranks agree on: by collective, then chunk.
  const auto goes_before = [&](const Stream& other) {
    if (rules_.arrival_order) return s.call->priority > other.call->priority;
    return std::pair(s.call->sequence, s.chunk) < std::pair(other.call->sequence, other.chunk);
  };
  Stream* after = q.tail;
  while (after && goes_before(*after)) after = after->previous;
  s.previous = after;
  s.next = after ? after->next : q.head;
  (after ? after->next : q.head) = &s;
  (s.next ? s.next->previous : q.tail) = &s;
}

void CollectiveEngine::start_waiting(ChunkQueue& q) {
  while (q.head && q.running < running_limit_) start_stream(*q.head);
}

void CollectiveEngine::start_oldest(QueueSet& set) {
  // G44: the oldest chunk of a communicator is never held back, so that ranks cannot wait for each other's queues.
  if (set.oldest && !set.oldest->started) start_stream(*set.oldest);
}

void CollectiveEngine::start_stream(Stream& s) {
  ChunkQueue& q = *s.queue;
  (s.previous ? s.previous->next : q.head) = s.next;
  (s.next ? s.next->previous : q.tail) = s.previous;
  s.next = s.previous = nullptr;
  s.started = true;
  ++q.running;
  ++s.rank->running_streams;
  prepare(s);
  algorithm_start(s);
  if (lockstep_ && s.call->request.custom.empty() && phase(s).algorithm.kind == Algorithm::ring) lockstep_->join(s);
}

std::uint64_t CollectiveEngine::phase_result(const Stream& s) const {
  const Phase& p = phase(s);
  if (p.algorithm.kind == Algorithm::double_binary_tree) return s.data;
  if (p.op == CollectiveOp::all_gather) {
    if (rules_.astra || p.restores < 0) return s.data * p.n;
    // The input of the reduce-scatter that this undoes.
    std::uint64_t data = s.chunk_bytes;
    for (std::int32_t i = 0; i < p.restores; ++i) {
      const Phase& before = s.call->plan->phases[static_cast<std::size_t>(i)];
      data = Blocks{data, before.n}.size(s.rank->rank / before.stride % before.n);
    }
    return data;
  }
  if (p.op != CollectiveOp::reduce_scatter) return s.data;
  return rules_.astra ? s.data / p.n : Blocks{s.data, p.n}.size(s.position);
}

void CollectiveEngine::phase_finished(Stream& s) {
  ChunkQueue& left = *s.queue;
  EngineRank& r = *s.rank;
  --r.running_streams;
  Call& call = *s.call;
  const std::shared_ptr<const Plan> plan = call.plan;
  if (s.phase + 1 == plan->phases.size()) {
    QueueSet* const set = rules_.arrival_order ? nullptr : &queue_set(r, *plan->group);
    if (set) {
      (s.older ? s.older->younger : set->oldest) = s.younger;
      (s.younger ? s.younger->older : set->youngest) = s.older;
    }
    streams_.give(&s);
    // In ASTRA-sim's order: the collective's end may issue the next one before this queue moves on.
    if (++call.finished == call.chunks) finish_call(call);
    --left.running;
    start_waiting(left);
    if (set) start_oldest(*set);
    return;
  }
  s.data = phase_result(s);
  ++s.phase;
  enter_queue(s);
  ChunkQueue& entered = *s.queue;
  --left.running;
  start_waiting(left);
  start_waiting(entered);
  if (!rules_.arrival_order) start_oldest(queue_set(r, *plan->group));
}

}  // namespace tutti::workload
