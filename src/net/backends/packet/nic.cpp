#include "net/backends/packet/nic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tutti::net::packet {
namespace {
constexpr unsigned data_class = 3;
constexpr std::int64_t nack_pause_ps = 500'000'000;
}  // namespace

void Nic::open(Flow& flow) {
  flow.next_send_ps = context_.now_ps();
  ++flow.references;
  flows_.push_back(&flow);
  transmit();
}

Packet* Nic::next() {
  const bool held = paused(data_class);
  if (!acks_.empty() && !(context_.settings.ack_first ? paused(0) : held)) return acks_.pop();
  if (flows_.empty()) return nullptr;
  std::size_t finished = flows_.size();
  int chosen = held ? -1 : turn(finished);
  if (held)
    for (std::size_t i = flows_.size(); i-- > 0;)
      if (flows_[i]->finished()) finished = i;
  if (finished < flows_.size()) {  // forget flows that are complete; `last_` stays, as in the reference
    std::size_t to = finished;
    for (std::size_t i = finished; i < flows_.size(); ++i) {
      Flow* const f = flows_[i];
      if (f->finished()) {
        context_.release(*f);
        continue;
      }
      if (chosen == static_cast<int>(i)) chosen = static_cast<int>(to);
      flows_[to++] = f;
    }
    flows_.resize(to);
  }
  if (chosen < 0) {
    sleep();
    return nullptr;
  }
  last_ = static_cast<std::size_t>(chosen);
  return take(*flows_[last_]);
}

/// Index of the next flow that may send now, -1 if none. `finished`: the first one seen to be complete.
int Nic::turn(std::size_t& finished) {
  const std::size_t n = flows_.size();
  const std::int64_t now = context_.now_ps();
  std::size_t i = last_ % n;
  for (std::size_t k = 0; k < n; ++k) {
    if (++i == n) i = 0;
    const Flow& f = *flows_[i];
    if (f.has_data() && !f.window_bound()) {
      if (f.next_send_ps <= now) return static_cast<int>(i);
    } else if (f.finished()) {
      finished = std::min(finished, i);
    }
  }
  return -1;
}

/// Wakes when the first flow's pacing is over, window-bound or not. The reference also wakes for flows that have sent
/// all, and a flow that opens meanwhile and is paced waits for that alarm, or for its next ACK.
void Nic::sleep() {
  std::int64_t first = INT64_MAX;
  for (const Flow* f : flows_)
    if (f->has_data() || context_.settings.astra) first = std::min(first, f->next_send_ps);
  if (first == INT64_MAX || first <= context_.now_ps()) return;
  if (!wake_)
    wake_ = context_.timers.set(first, &Nic::wake, this);
  else if (!context_.settings.astra)
    sooner(first);
}

void Nic::wake(void* nic) {
  auto& self = *static_cast<Nic*>(nic);
  self.wake_ = nullptr;
  self.transmit();
}

void Nic::sooner(std::int64_t ps) {
  if (!wake_ || ps >= wake_->due_ps) return;
  Timers::cancel(wake_);
  wake_ = context_.timers.set(std::max(ps, context_.now_ps()), &Nic::wake, this);
}

Packet* Nic::take(Flow& f) {
  const Settings& s = context_.settings;
  Packet& p = context_.make_packet(&f);
  const auto data = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.payload, f.span - f.next));
  p.sequence = f.next;
  p.data = f.bytes == 0 ? 0 : data;
  p.size = p.data + context_.header.data;
  const std::int64_t now = context_.now_ps();
  if (s.congestion == Congestion::timely && s.timely_stamp) p.sent_ps = now;
  f.next += data;
  f.last_size = p.size;
  f.next_send_ps = now + f.pacing.ps(p.size, s.pace ? f.rate : f.line_rate, s.astra);
  if (s.retransmit_ps > 0) arm(f);
  return &p;
}

void Nic::receive(Packet& p) {
  if (p.kind == Packet::Kind::data)
    receive_data(p);
  else
    receive_ack(p);
}

void Nic::receive_data(Packet& p) {
  Flow& f = *p.flow;
  const Settings& s = context_.settings;
  const std::uint64_t length = f.bytes == 0 ? 1 : p.data;
  if (p.sequence == f.expected) {
    f.expected += length;
    const bool last = !s.astra && f.expected == f.span;
    if (last && !f.delivered) {
      f.delivered = true;
      if (f.listener) f.listener->delivered(f);
    }
    if (f.expected >= s.ack_interval || last || f.expected % s.chunk == 0) return answer(p, Packet::Kind::ack);
  } else if (p.sequence > f.expected) {
    const std::int64_t now = context_.now_ps();
    if (now >= f.nack_again_ps || f.last_nack != f.expected) {
      f.nack_again_ps = now + nack_pause_ps;
      f.last_nack = f.expected;
      if (s.back_to_zero) f.expected = f.expected / s.chunk * s.chunk;
      return answer(p, Packet::Kind::nack);
    }
  } else if (!s.astra) {  // seen before: the ACK may have been lost
    return answer(p, Packet::Kind::ack);
  }
  context_.drop(p);
}

/// Turns the packet round.
void Nic::answer(Packet& p, Packet::Kind kind) {
  Flow& f = *p.flow;
  p.kind = kind;
  p.sequence = f.expected;
  p.size = context_.header.acknowledgement;
  p.hop = 0;
  f.sink->acks_.push(p);
  f.sink->transmit();
}

void Nic::receive_ack(Packet& p) {
  Flow& f = *p.flow;
  if (f.finished()) return context_.drop(p);
  Nic& nic = *f.nic;
  const std::uint64_t before = f.acked;
  const Settings& s = context_.settings;
  const std::uint64_t upto =
      s.back_to_zero && (s.astra || p.sequence < f.span) ? p.sequence / s.chunk * s.chunk : p.sequence;
  f.acked = std::max(f.acked, upto);
  if (f.next < f.acked) f.next = f.acked;
  if (f.acked > before) {
    f.timeouts = 0;
    f.deadline_ps = context_.now_ps() + f.timeout_ps;
  }
  ++f.references;
  if (f.finished()) complete(f);
  if (p.kind == Packet::Kind::nack) f.next = f.acked;
  if (f.control && !f.finished()) f.control->acknowledged(f, p);
  context_.drop(p);
  context_.release(f);
  nic.transmit();
}

void Nic::complete(Flow& f) {
  if (f.control) f.control->stop();
  if (f.listener) f.listener->acknowledged(f);
}

void Nic::go_back(Flow& f) {
  f.next = f.acked;
  f.next_send_ps = std::min(f.next_send_ps, context_.now_ps());
  transmit();
}

/// One timer a flow, which looks again when it rings too early.
void Nic::arm(Flow& f) {
  if (f.next - f.acked <= context_.settings.payload) f.deadline_ps = context_.now_ps() + f.timeout_ps;
  if (f.timer_set) return;
  f.timer_set = true;
  ++f.references;
  context_.timers.set(f.deadline_ps, &Nic::timeout, &f);
}

void Nic::timeout(void* flow) {
  Flow& f = *static_cast<Flow*>(flow);
  Nic& self = *f.nic;
  Context& context = self.context_;
  f.timer_set = false;
  if (!f.finished() && f.next > f.acked) {
    if (context.now_ps() < f.deadline_ps) {
      f.timer_set = true;
      context.timers.set(f.deadline_ps, &Nic::timeout, &f);
      return;
    }
    if (f.timeouts++ == context.settings.retries)
      throw ModelError(
          fmt::format("flow {} -> {} (source port {}): given up after {} retransmission timeouts in a row; {} of {} "
                      "bytes are there",
                      f.source, f.destination, f.port, context.settings.retries, f.acked, f.bytes));
    f.deadline_ps = context.now_ps() + (f.timeout_ps << std::min(f.timeouts, 6u));
    f.timer_set = true;
    ++f.references;
    context.timers.set(f.deadline_ps, &Nic::timeout, &f);
    self.go_back(f);
  }
  context.release(f);
}

}  // namespace tutti::net::packet
