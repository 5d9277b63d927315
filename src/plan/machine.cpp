#include "plan/machine.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::plan {

using Wait = StreamState::Wait;

Machine::Machine(const Schedule& schedule, const Target& target, Ordering ordering)
    : schedule_(schedule),
      target_(target),
      ranks_(schedule.collective.ranks),
      width_(schedule.streams),
      ordering_(schedule.collective.kind == CollectiveKind::barrier ? Ordering::full : ordering),
      contributions_(ranks_),
      images_(static_cast<std::size_t>(ranks_)),
      sizes_(static_cast<std::size_t>(ranks_)),
      streams_(static_cast<std::size_t>(ranks_ * width_)) {
  const Collective& c = schedule.collective;
  for (int r = 0; r < ranks_; ++r) {
    const auto at = static_cast<std::size_t>(r);
    sizes_[at] = {c.input_size(r), c.output_size(r), schedule.scratch(r)};
    for (const Content& content : c.initial(r)) {
      if (content.where.count == 0) continue;
      StreamState probe;
      probe.rank = r;
      const Place p = place(probe, slice(Buffer::input, content.where));
      p.image->write(p.begin, {{0, content.where.count, content.label, contributions_.of(content.from)}});
    }
    for (int i = 0; i < width_; ++i) {
      StreamState& s = stream(r, i);
      s.rank = r, s.index = i;
      s.steps = schedule.steps(r, i);
      if (ordering_ != Ordering::none)
        s.clock.assign(ordering_ == Ordering::full ? streams_.size() : static_cast<std::size_t>(width_), 0);
      wake(s);
    }
  }
}

void Machine::run() {
  while (!ready_.empty()) {
    StreamState& s = *ready_.front();
    ready_.pop_front();
    s.queued = false;
    while (advance(s)) {
    }
  }
  check_end();
}

/// One step, or part of it. False when the stream must wait or has ended.
bool Machine::advance(StreamState& s) {
  if (s.ended) return false;
  if (!s.loaded) {
    const Step* next = s.steps.next();
    ++s.number;
    if (!next) {
      s.ended = true;
      s.wait = Wait::none;
      wake_rank(s.rank);
      return false;
    }
    s.now = *next;
    s.loaded = true, s.issued = false;
  }
  s.wait = Wait::none;
  if (!s.issued && !begin(s)) return false;
  if (!s.now.moves()) {
    finish(s);
    return true;
  }
  if (s.now.sends()) return send(s);
  if (s.now.receives()) return receive(s);
  if (writes_pending(s)) return false;
  local(s);
  finish(s);
  return true;
}

/// Waits for the step that `after` names.
bool Machine::begin(StreamState& s) {
  if (s.now.after_stream < 0) return true;
  if (s.now.after_stream >= width_) refute(s, fmt::format("there is no stream {}", s.now.after_stream));
  StreamState& other = stream(s.rank, s.now.after_stream);
  if (!ended(other, s.now.after_step)) {
    if (other.ended && other.number <= s.now.after_step)
      refute(s, fmt::format("stream {} has only {} steps", other.index, other.number));
    s.wait = Wait::step;
    return false;
  }
  if (ordering_ != Ordering::none) {
    const auto later = std::upper_bound(other.history.begin(), other.history.end(), s.now.after_step,
                                        [](std::int64_t n, const auto& h) { return n < h.first; });
    if (later != other.history.begin()) join(s, *std::prev(later)->second);
    auto& known = s.clock[entry(s.rank, other.index)];
    known = std::max(known, static_cast<std::int32_t>(s.now.after_step + 1));
    s.history.emplace_back(s.number, std::make_shared<const Clock>(s.clock));
  }
  return true;
}

bool Machine::ended(const StreamState& s, std::int64_t step) const {
  if (s.number <= step) return false;
  return std::none_of(s.pending.begin(), s.pending.end(), [&](const auto& p) { return p.first <= step; });
}

void Machine::finish(StreamState& s) {
  ++steps;
  s.loaded = false;
  if (width_ > 1) wake_rank(s.rank);
}

bool Machine::send(StreamState& s) {
  const Step& step = s.now;
  if (step.peer < 0 || step.peer >= ranks_ || step.peer == s.rank) refute(s, "no such peer");
  Connection& c = connection(s.rank, step.peer, step.channel);
  if (!s.issued) {
    if (c.sending()) {
      s.wait = Wait::previous_send, s.waits_on = &c;
      return false;
    }
    c.sender = s.index;
    Message m;
    m.count = step.count(), m.signal = step.signal;
    m.pieces = step.count() > 0 ? fetch(s, step.source) : std::vector<Piece>{};
    m.sent = {s.index, s.number};
    m.to_push = m.to_pull = slots_of(m.count);
    if (ordering_ == Ordering::full) {
      auto clock = std::make_shared<Clock>(s.clock);
      (*clock)[entry(s.rank, s.index)] = static_cast<std::int32_t>(s.number + 1);
      m.clock = std::move(clock);
    }
    c.queue.push_back(std::move(m));
    ++messages;
    s.issued = true;
    s.pending.emplace_back(s.number, &c);
    s.pending_steps.push_back(step);
    progress(c);
  }
  const bool left = s.pending.empty() || s.pending.back().first != s.number;
  if (!left && !target_.sends_overlap) {
    s.wait = Wait::slot, s.waits_on = &c;
    return false;
  }
  finish(s);
  return true;
}

bool Machine::receive(StreamState& s) {
  const Step& step = s.now;
  if (step.peer < 0 || step.peer >= ranks_ || step.peer == s.rank) refute(s, "no such peer");
  Connection& c = connection(step.peer, s.rank, step.channel);
  if (!s.issued) {
    if (c.receiving) refute(s, fmt::format("stream {} receives from the same channel at the same time", c.receiver));
    c.receiver = s.index, c.receiving = true;
    s.issued = true;
  }
  progress(c);
  if (c.queue.empty() || c.queue.front().to_pull > 0) {
    s.wait = Wait::message, s.waits_on = &c;
    return false;
  }
  const Message m = std::move(c.queue.front());
  c.queue.pop_front();
  c.receiving = false;
  if (ordering_ == Ordering::full) {
    join(s, *m.clock);
    s.history.emplace_back(s.number, std::make_shared<const Clock>(s.clock));
  }
  if (step.count() > 0) store(s, step.target, m.pieces, step.action == Action::receive_reduce);
  finish(s);
  return true;
}

/// Moves slots from sender to receiver as far as the rule allows. At most the last message is still being pushed.
void Machine::progress(Connection& c) {
  const bool was_sending = c.sending();
  bool any_push = false, any_pull = false;
  for (bool moved = true; moved;) {
    moved = false;
    if (c.receiving && !c.queue.empty() && c.queue.front().to_pull > 0) {
      Message& head = c.queue.front();
      const StreamState& r = stream(c.to, c.receiver);
      if (head.count != r.now.count() || head.signal != r.now.signal)
        refute(r, fmt::format("the message has {} elements: rank {} stream {} step {}", head.count, c.from,
                              head.sent.stream, head.sent.step));
      const std::int64_t may = writable(r) - (slots_of(head.count) - head.to_pull);
      if (may >= head.to_pull && head.to_push > 0) {  // both ends at work: all of it goes through
        head.to_push = head.to_pull = c.in_flight = 0;
        moved = any_push = any_pull = true;
      } else if (const std::int64_t n = std::min(head.to_pull - head.to_push, may); n > 0) {
        head.to_pull -= n, c.in_flight -= n;
        moved = any_pull = true;
      }
    }
    if (c.sending()) {
      Message& last = c.queue.back();
      const std::int64_t n = target_.slots > 0 ? std::min(last.to_push, target_.slots - c.in_flight) : last.to_push;
      last.to_push -= n, c.in_flight += n;
      if (n > 0) moved = any_push = true;
    }
  }
  if (was_sending && !c.sending()) {
    StreamState& s = stream(c.from, c.sender);
    for (std::size_t i = 0; i < s.pending.size(); ++i)
      if (s.pending[i].second == &c) {
        s.pending.erase(s.pending.begin() + static_cast<std::ptrdiff_t>(i));
        s.pending_steps.erase(s.pending_steps.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    wake_rank(c.from);
  }
  if (any_push) wake(stream(c.from, c.sender));
  if ((any_push || any_pull) && c.receiver >= 0) wake(stream(c.to, c.receiver));
}

std::int64_t Machine::slots_of(std::int64_t count) const {
  return target_.slot_elements > 0 ? std::max<std::int64_t>((count - 1) / target_.slot_elements + 1, 1) : 1;
}

void Machine::wake(StreamState& s) {
  if (s.queued || s.ended) return;
  s.queued = true;
  ready_.push_back(&s);
}

void Machine::wake_rank(int rank) {
  for (int i = 0; i < width_; ++i)
    if (StreamState& s = stream(rank, i); s.wait != Wait::none) wake(s);
}

Connection& Machine::connection(int from, int to, int channel) {
  if (channel < 0 || channel > 0xffff) throw Refuted(fmt::format("channel {}; 0 to 65535", channel));
  const std::uint64_t key =
      (static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(ranks_) + static_cast<std::uint64_t>(to)) << 16 |
      static_cast<std::uint64_t>(channel);
  auto& c = connections_[key];
  if (!c) {
    c = std::make_unique<Connection>();
    c->from = from, c->to = to, c->channel = channel;
  }
  return *c;
}

}  // namespace tutti::plan
