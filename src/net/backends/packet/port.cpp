#include "net/backends/packet/port.h"

namespace tutti::net::packet {

Port::Port(Context& context, int node, int index, std::uint64_t rate, std::int64_t delay_ps, double loss)
    : Event(&Port::done),
      context_(context),
      node_(node),
      index_(index),
      rate_(rate),
      delay_ps_(delay_ps),
      loss_(loss) {}

void Port::done(sim::Event& e) {
  auto& port = static_cast<Port&>(e);
  port.busy_ = false;
  port.transmit();
}

void Port::arrived(sim::Event& e) {
  auto& p = static_cast<Packet&>(e);
  p.port->arrive(p);
}

void Port::transmit() {
  if (busy_ || !up_) return;
  Packet* const p = next();
  if (!p) return;
  busy_ = true;
  const std::int64_t t = transmission_.ps(p->size, rate_, context_.settings.astra);
  ++counters_.packets;
  counters_.bytes += p->size;
  counters_.busy_ps += t;
  p->port = peer_;
  p->fire = &Port::arrived;
  const std::int64_t now = context_.now_ps();
  context_.simulation.at(Time::ps(now + t), *this);
  context_.simulation.at(Time::ps(now + t + delay_ps_), *p);
}

void Port::arrive(Packet& p) {
  if (!up_ || (loss_ > 0 && context_.draws.loss() < loss_) || (context_.lose && context_.lose(p))) [[unlikely]] {
    ++counters_.lost;
    return context_.drop(p);
  }
  if (p.flow) return receive(p);
  obey(p);
  context_.drop(p);
}

void Port::obey(const Packet& p) {
  const auto bit = static_cast<std::uint8_t>(1u << p.traffic_class);
  if (p.kind == Packet::Kind::pause) {
    ++counters_.pauses;
    if (!(paused_ & bit)) paused_since_ps_ = context_.now_ps();
    paused_ |= bit;
    return;
  }
  ++counters_.resumes;
  if (paused_ & bit) counters_.paused_ps += context_.now_ps() - paused_since_ps_;
  paused_ = static_cast<std::uint8_t>(paused_ & ~bit);
  transmit();
}

void Port::set_up(bool up) {
  up_ = up;
  if (!up && paused_ != 0) {  // who asked for it is gone
    counters_.paused_ps += context_.now_ps() - paused_since_ps_;
    paused_ = 0;
  }
  if (up) transmit();
}

}  // namespace tutti::net::packet
