#include "fabric/transmitter.h"

#include <algorithm>

namespace tutti::fabric {

Transmitter::Transmitter(sim::Simulation& simulation, TransmitterOwner& owner, const FabricSpec& spec,
                         const std::vector<std::uint8_t>& lanes, Bandwidth bandwidth)
    : simulation_(simulation),
      owner_(owner),
      rate_(bandwidth),
      chunk_(spec.chunk_bytes),
      count_(static_cast<std::uint8_t>(lanes.size())),
      naive_(spec.naive) {
  now_.turn = static_cast<std::uint8_t>(count_ - 1);  // the first lane begins
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const ChannelSpec& channel = spec.channels[lanes[i]];
    lanes_[i].channel = lanes[i];
    lanes_[i].weight = static_cast<std::uint32_t>(channel.weight);
    if (channel.priority) priority_ |= static_cast<std::uint8_t>(1U << i);
  }
}

void Transmitter::request(std::uint8_t lane, Claim& claim) {
  claim.lane = lane;
  claim.since = simulation_.now();
  if (busy_ && active(lane) && due_ > simulation_.now()) return line_up(claim);
  Claim** place = &pending_;
  while (*place && (*place)->order < claim.order) place = &(*place)->next;
  claim.next = *place;
  *place = &claim;
  schedule_decision();
}

/// Behind a packet that is under way nothing is to be decided: of two that come in one instant, the lower order is
/// served first.
void Transmitter::line_up(Claim& claim) {
  Lane& lane = lanes_[claim.lane];
  Claim* before = lane.last;
  if (before->since == claim.since && before->order > claim.order) {
    before = lane.first;
    while (before->next && (before->next->since != claim.since || before->next->order < claim.order))
      before = before->next;
  }
  claim.next = before->next;
  before->next = &claim;
  if (before == lane.last) lane.last = &claim;
}

void Transmitter::schedule_decision() {
  if (decision_scheduled_) return;
  decision_scheduled_ = true;
  simulation_.late(decide_);
}

void Transmitter::decide() {
  decision_scheduled_ = false;
  if (busy_ && !cut_ && due_ > simulation_.now()) {
    bool wakes = false;
    for (const Claim* c = pending_; c; c = c->next) wakes |= !active(c->lane);
    if (wakes) {
      const Time before = due_;
      plan(simulation_.now());
      cut_ = true;
      if (due_ == simulation_.now())
        commit();
      else if (due_ != before)
        simulation_.at(due_, reached_);
    }
  }
  enqueue_pending();
  if (!busy_) arbitrate();
}

void Transmitter::enqueue_pending() {
  while (Claim* const c = pending_) {
    pending_ = c->next;
    c->next = nullptr;
    Lane& lane = lanes_[c->lane];
    if (lane.first) {
      lane.last->next = c;
    } else {
      lane.first = c;
      lane.started = false;
      now_.left[c->lane] = planned_.left[c->lane] = c->bytes;
    }
    lane.last = c;
  }
}

void Transmitter::arbitrate() {
  const std::uint8_t lane = pick(now_);
  if (lane == none) {
    idle_ = true;
    return;
  }
  if (idle_) {
    idle_ = false;
    if (due_ != simulation_.now()) {
      now_.base = simulation_.now();
      now_.beyond = 0;
    }
  }
  Lane& l = lanes_[lane];
  if (!l.started) {
    l.started = true;
    const Time waited = simulation_.now() - l.first->since;
    ++l.statistics.packets;
    l.statistics.waited += waited;
    l.statistics.longest = std::max(l.statistics.longest, waited);
    owner_.first_byte(*l.first);
  }
  plan(Time::max());
  simulation_.at(due_, reached_);
}

std::uint8_t Transmitter::pick(const Cursor& c) const {
  if (priority_ != 0)
    for (std::uint8_t i = 0; i < count_; ++i)
      if ((priority_ >> i & 1) && active(i)) return i;
  if (c.credit > 0 && active(c.turn)) return c.turn;
  for (std::uint8_t i = 1; i <= count_; ++i) {
    const auto next = static_cast<std::uint8_t>((c.turn + i) % count_);
    if (active(next)) return next;
  }
  return none;
}

/// From the state at the last arbitration: up to the end of a packet, to the first byte of one that has not started,
/// or to the first chunk boundary at or after `limit`, whatever comes first; at least one chunk.
void Transmitter::plan(Time limit) {
  Cursor c = now_;
  unsigned actives = 0;
  bool all_started = true;
  for (std::uint8_t i = 0; i < count_; ++i)
    if (active(i)) ++actives, all_started &= lanes_[i].started;
  do {
    const std::uint8_t lane = pick(c);
    if (!lanes_[lane].started) break;
    const bool alone = actives == 1 || (priority_ >> lane & 1);
    if (naive_) {
      serve(c, lane, 1);
      break;
    }
    if (!alone && all_started && (c.turn != lane || c.credit == 0)) skip_rounds(c, lane, limit);
    std::uint64_t chunks = chunks_of(c.left[lane]);
    if (!alone) {
      const std::uint32_t turn = c.turn == lane && c.credit > 0 ? c.credit : lanes_[lane].weight;
      chunks = std::min<std::uint64_t>(chunks, turn);
    }
    if (limit != Time::max()) chunks = std::min(chunks, chunks_until(c, limit));
    serve(c, lane, chunks);
  } while (c.ended == none && boundary(c) < limit);
  planned_ = c;
  due_ = boundary(c);
  busy_ = true;
}

/// @pre chunks is at most what is left of the lane's packet, and one turn unless the lane is alone.
void Transmitter::serve(Cursor& c, std::uint8_t lane, std::uint64_t chunks) const {
  if (!(priority_ >> lane & 1)) {
    const std::uint32_t weight = lanes_[lane].weight;
    if (c.turn != lane) {
      c.turn = lane;
      c.credit = 0;
    }
    if (chunks <= c.credit)
      c.credit -= static_cast<std::uint32_t>(chunks);
    else
      c.credit = weight - 1 - static_cast<std::uint32_t>((chunks - c.credit - 1) % weight);
  }
  const std::uint64_t bytes = chunks == chunks_of(c.left[lane]) ? c.left[lane] : chunks * chunk_;
  c.left[lane] -= bytes;
  c.beyond += bytes;
  c.chunks += chunks;
  if (c.left[lane] == 0) c.ended = lane;
}

/// Least number of whole chunks, at least 1, after which the boundary is not before `limit`.
std::uint64_t Transmitter::chunks_until(const Cursor& c, Time limit) const {
  if (limit <= c.base) return 1;
  const std::uint64_t before = rate_.bytes_within(limit - c.base - Time::ps(1));
  return before < c.beyond ? 1 : (before - c.beyond) / chunk_ + 1;
}

/// Rounds in which every active lane takes a full turn, no packet ends, and all boundaries lie before `limit`.
/// @pre lane `first` is at the start of its turn.
void Transmitter::skip_rounds(Cursor& c, std::uint8_t first, Time limit) const {
  std::uint64_t rounds = UINT64_MAX, turns = 0;
  std::uint8_t last = first;
  for (std::uint8_t i = 0; i < count_; ++i) {
    const auto lane = static_cast<std::uint8_t>((first + i) % count_);
    if (!active(lane)) continue;
    last = lane;
    turns += lanes_[lane].weight;
    rounds = std::min(rounds, (chunks_of(c.left[lane]) - 1) / lanes_[lane].weight);
  }
  if (limit != Time::max()) {
    const std::uint64_t before = limit > c.base ? rate_.bytes_within(limit - c.base - Time::ps(1)) : 0;
    rounds = before <= c.beyond ? 0 : std::min(rounds, (before - c.beyond) / (turns * chunk_));
  }
  if (rounds == 0) return;
  for (std::uint8_t i = 0; i < count_; ++i)
    if (active(i)) c.left[i] -= rounds * lanes_[i].weight * chunk_;
  c.beyond += rounds * turns * chunk_;
  c.chunks += rounds * turns;
  c.turn = last;
  c.credit = 0;
}

void Transmitter::boundary_reached() {
  if (!busy_ || due_ != simulation_.now()) return;  // of a plan that was cut
  commit();
  for (std::uint8_t i = 0; i < count_; ++i)
    if (active(i)) return schedule_decision();
  idle_ = true;  // who asks in this instant still goes on without a gap, see arbitrate()
}

void Transmitter::commit() {
  busy_ = cut_ = false;
  busy_time_ += due_ - boundary(now_);
  for (std::uint8_t i = 0; i < count_; ++i)
    if (active(i)) lanes_[i].statistics.bytes += now_.left[i] - planned_.left[i];
  chunks_ += planned_.chunks;
  const std::uint8_t ended = planned_.ended;
  now_ = planned_;
  now_.chunks = 0;
  now_.ended = none;
  const std::uint64_t whole = now_.beyond / rate_.denominator();
  now_.base += Time::ps(static_cast<std::int64_t>(whole * rate_.numerator()));
  now_.beyond -= whole * rate_.denominator();
  if (ended == none) return;
  Lane& lane = lanes_[ended];
  Claim* const done = lane.first;
  lane.first = done->next;
  lane.started = false;
  if (lane.first) now_.left[ended] = lane.first->bytes;
  owner_.last_byte(*done);
}

void Transmitter::add_to(LinkStatistics& statistics) const {
  statistics.busy += busy_time_;
  for (std::uint8_t i = 0; i < count_; ++i) {
    statistics.channels[lanes_[i].channel] = lanes_[i].statistics;
    statistics.bytes += lanes_[i].statistics.bytes;
  }
}

}  // namespace tutti::fabric
