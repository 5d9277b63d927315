/// What the algorithms have in common: the ranks of a phase, endpoint steps, reductions, messages.
#include <algorithm>

#include "base/error.h"
#include "workload/collective/algorithms.h"
#include "workload/collective/custom.h"
#include "workload/collective/engine.h"
#include "workload/collective/planned.h"

namespace tutti::workload {

void CollectiveEngine::prepare(Stream& s) {
  const Phase& p = phase(s);
  const Plan& plan = *s.call->plan;
  const std::uint32_t rank = s.rank->rank;
  s.n = p.n;
  s.phase_start = simulation_.now();
  s.stride = p.stride;
  if (plan.listed) {
    s.list = plan.group->ranks.data();
    s.position = plan.group->position[rank];
  } else {
    s.list = nullptr;
    s.position = rank / p.stride % p.n;
    s.first = rank - s.position * p.stride;
  }
  const bool local = plan.listed && rules_.local_ring_delay;
  s.endpoint = Time::ns(local ? 10 : static_cast<std::int64_t>(system_.endpoint_delay_ns));
  if (!rules_.shared_stream_counter) s.tag = std::uint64_t{s.chunk} << 16 | std::uint64_t{s.phase} << 2;
}

Time CollectiveEngine::reduction_time(std::uint64_t bytes) const {
  if (!(system_.local_mem_bw > 0)) return Time();  // G28
  const double pass = system_.reduction_pass_ns(bytes);
  if (!(pass < 1.5e15)) throw ModelError("a reduction takes longer than 53 days: more than simulated time holds");
  return rules_.astra ? Time::ns(3 * static_cast<std::int64_t>(pass)) : Time::from_ns(3 * pass);
}

void CollectiveEngine::step(Stream& s, bool reduces, Time reduction, std::uint32_t note) {
  Step& step = *steps_.take();
  step.engine = this;
  step.stream = &s;
  step.reduces = reduces;
  step.reduction = reduction;
  step.note = note;
  s.rank->clock->after(s.endpoint, step);
}

void CollectiveEngine::step_elapsed(RankClock::Item& item) {
  auto& step = static_cast<Step&>(item);
  CollectiveEngine& engine = *step.engine;
  if (Call* const call = step.call) {
    engine.steps_.give(&step);
    return engine.finish_call(*call);
  }
  Stream& s = *step.stream;
  if (step.ends_phase) {
    engine.steps_.give(&step);
    return engine.phase_finished(s);
  }
  if (step.reduces) {
    step.reduces = false;
    return s.rank->clock->after(step.reduction, step);
  }
  const std::uint32_t note = step.note;
  engine.steps_.give(&step);
  engine.algorithm_step(s, note);
}

void CollectiveEngine::send(Stream& s, std::uint32_t position, std::uint64_t bytes, std::uint32_t part) {
  messenger_.send({{s.space, s.tag | part, s.rank->rank, s.at(position)}, bytes, s.call->request.node}, {});
}

void CollectiveEngine::receive(Stream& s, std::uint32_t position, std::uint64_t bytes, std::uint32_t note,
                               std::uint32_t part) {
  messenger_.receive({{s.space, s.tag | part, s.at(position), s.rank->rank}, bytes, s.call->request.node},
                     {&CollectiveEngine::on_received, &s, note});
}

void CollectiveEngine::on_received(void* owner, std::uint32_t note) {
  Stream& s = *static_cast<Stream*>(owner);
  s.rank->engine->algorithm_received(s, note);
}

void CollectiveEngine::algorithm_start(Stream& s) {
  if (!s.call->request.custom.empty()) return custom_->start(s);
  switch (phase(s).algorithm.kind) {
    case Algorithm::ring:
    case Algorithm::direct:
      return Exchange{*this, s}.start();
    case Algorithm::halving_doubling:
      return HalvingDoubling{*this, s}.start();
    case Algorithm::double_binary_tree:
      return DoubleBinaryTree{*this, s}.start();
    case Algorithm::planned:
      return planned_->start(s);
  }
}

void CollectiveEngine::algorithm_step(Stream& s, std::uint32_t note) {
  switch (phase(s).algorithm.kind) {
    case Algorithm::ring:
    case Algorithm::direct:
      return Exchange{*this, s}.step_done();
    case Algorithm::halving_doubling:
      return HalvingDoubling{*this, s}.step_done();
    case Algorithm::double_binary_tree:
      return DoubleBinaryTree{*this, s}.step_done(note);
    case Algorithm::planned:
      break;  // has steps of its own
  }
}

void CollectiveEngine::algorithm_received(Stream& s, std::uint32_t note) {
  switch (phase(s).algorithm.kind) {
    case Algorithm::ring:
    case Algorithm::direct:
      return Exchange{*this, s}.received();
    case Algorithm::halving_doubling:
      return HalvingDoubling{*this, s}.received();
    case Algorithm::double_binary_tree:
      return DoubleBinaryTree{*this, s}.received(note);
    case Algorithm::planned:
      break;
  }
}

}  // namespace tutti::workload
