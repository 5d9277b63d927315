#include "workload/collective/lockstep.h"

#include <algorithm>

namespace tutti::workload {
namespace {

/// The streams of one phase have this in common; collisions only cost the shortcut, as may_compute compares.
std::uint64_t key_of(const Stream& s) {
  const std::uint64_t line = s.list ? 0 : s.first;
  std::uint64_t h =
      s.tag * 0x9e3779b97f4a7c15U ^ (s.space + 1) * 0xbf58476d1ce4e5b9U ^ (line + 1) * 0x94d049bb133111ebU;
  h ^= (std::uint64_t{s.stride} << 32 | s.phase) * 0xd6e8feb86659fd93U;
  return h ^ h >> 29;
}

bool same_phase(const Stream& a, const Stream& b) {
  const Phase &p = a.call->plan->phases[a.phase], &q = b.call->plan->phases[b.phase];
  return a.call->plan->group == b.call->plan->group && a.space == b.space && a.tag == b.tag && a.phase == b.phase &&
         a.list == b.list && a.first == b.first && a.stride == b.stride && a.n == b.n && a.direction == b.direction &&
         a.message == b.message && a.to_send == b.to_send && a.data == b.data && p.op == q.op &&
         q.algorithm.kind == Algorithm::ring;
}

}  // namespace

void Lockstep::join(Stream& s) {
  auto& gather = open_[key_of(s)];
  if (!gather) {
    gather = std::make_unique<LockstepGather>();
    gather->key = key_of(s);
    gather->streams.reserve(s.n);
  }
  s.gather = gather.get();
  gather->streams.push_back(&s);
}

bool Lockstep::compute_if_alone(Stream& s) {
  const auto it = open_.find(s.gather->key);
  const std::unique_ptr<LockstepGather> gather = std::move(it->second);
  open_.erase(it);
  for (Stream* const x : gather->streams) x->gather = nullptr;
  if (!may_compute(*gather)) return false;
  compute(*gather, s);
  return true;
}

bool Lockstep::may_compute(const LockstepGather& gather) const {
  const Stream& one = *gather.streams.front();
  if (gather.streams.size() != one.n) return false;
  if (!engine_.rules_.astra && one.data % one.n != 0) return false;  // sizes differ by a byte
  if (!engine_.rules_.astra && one.call->plan->phases[one.phase].restores >= 0) return false;
  net::Backend::Crossing crossing;
  // No message takes longer than this, so no sum overflows; a phase of weeks goes by events, which say when time ends.
  const Time longest = Time::ps((std::int64_t{1} << 59) / std::max<std::int64_t>(one.to_send, 1));
  for (const Stream* const s : gather.streams) {
    if (!same_phase(one, *s) || s->rank->running_streams != 1 || !s->call->request.running ||
        *s->call->request.running != 1)
      return false;
    if (!engine_.messenger_.network().crossing(s->rank->rank, s->at(s->ahead(1)), s->message, crossing)) return false;
    if (std::max({crossing.through, crossing.held, crossing.tail, crossing.after, one.endpoint, one.reduction}) >
        longest)
      return false;
  }
  if (crossing.links == 0) return true;
  const auto together = [&](const Stream* s) { return s->phase_start == one.phase_start; };
  return one.n == engine_.ranks_total_ && !one.list && engine_.messenger_.idle() &&
         std::all_of(gather.streams.begin(), gather.streams.end(), together);
}

void Lockstep::compute(const LockstepGather& gather, const Stream& first) {
  const Stream& one = *gather.streams.front();
  const CollectiveOp op = engine_.phase(one).op;
  const std::uint32_t n = one.n, messages = one.to_send;
  const Time now = engine_.simulation_.now();
  const auto reduces = [&](std::uint32_t k) {
    return op == CollectiveOp::reduce_scatter || (op == CollectiveOp::all_reduce && k < n);
  };
  std::vector<net::Backend::Crossing> path(n);  // to position i in the direction of the ring
  std::vector<Time> time(n);
  std::vector<Stream*> by_place(n);
  // Place of a stream: its position, counted in the direction of the phase.
  const auto place = [&](const Stream& s) { return s.direction > 0 ? s.position : (n - s.position) % n; };
  for (Stream* const s : gather.streams) {
    const std::uint32_t i = place(*s);
    by_place[i] = s;
    time[i] = s->phase_start + s->endpoint;
    engine_.messenger_.network().crossing(s->rank->rank, s->at(s->ahead(1)), s->message, path[(i + 1) % n]);
    engine_.messenger_.account(s->rank->rank, s->at(s->ahead(1)), s->message, messages);
  }
  for (Stream* const s : gather.streams) s->computed = s != &first;  // their pending steps have no effect
  const bool alike = std::all_of(path.begin(), path.end(), [&](const auto& p) { return p == path[0]; }) &&
                     std::all_of(time.begin(), time.end(), [&](Time t) { return t == time[0]; });
  if (alike) {
    const net::Backend::Crossing& p = path[0];
    Time t = time[0], free, free2;
    for (std::uint32_t k = 1; k <= messages; ++k) {
      Time there = t + p.through;
      if (p.links > 0) {
        const Time leaves = std::max(t, free);
        free = leaves + p.held;
        there = leaves + p.through;
        if (p.links > 1) {
          free2 = std::max(std::max(leaves + p.head, free2) + p.held, leaves + p.tail);
          there = free2 + p.after;
        }
      }
      t = std::max(t, there) + one.endpoint + (reduces(k) ? one.reduction : Time());
    }
    std::fill(time.begin(), time.end(), t);
  } else {
    std::vector<Time> next(n);
    for (std::uint32_t k = 1; k <= messages; ++k) {
      const Time wait = one.endpoint + (reduces(k) ? one.reduction : Time());
      next[0] = std::max(time[0], time[n - 1] + path[0].through) + wait;
      for (std::uint32_t i = 1; i < n; ++i) next[i] = std::max(time[i], time[i - 1] + path[i].through) + wait;
      time.swap(next);
    }
  }
  for (const Stream* const s : gather.streams) {
    const std::uint32_t i = (place(*s) + messages) % n;
    CollectiveEngine::Step& end = *engine_.steps_.take();
    end.engine = &engine_;
    end.stream = by_place[i];
    end.ends_phase = true;
    by_place[i]->rank->clock->after(time[i] - now, end);
  }
}

}  // namespace tutti::workload
