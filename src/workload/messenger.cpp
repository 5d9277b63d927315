#include "workload/messenger.h"

namespace tutti::workload {
namespace {

constexpr std::uint64_t request_bytes = 8192;
constexpr std::uint64_t request_tag = 1'000'000'000;

/// The request that the receiver of `e` sends to its sender.
Envelope request_for(const Envelope& e) {
  return {{e.key.space | Messenger::request_space, e.key.tag + request_tag, e.key.destination, e.key.source},
          request_bytes,
          e.node};
}

}  // namespace

Messenger::Messenger(sim::Simulation& simulation, net::Backend& network, match::Policy policy, bool rendezvous)
    : simulation_(simulation),
      network_(network),
      rendezvous_(rendezvous),
      matcher_(policy),
      sent_(network.ranks()),
      received_(network.ranks()) {}

void Messenger::send(const Envelope& e, Completion sent) {
  if (!rendezvous_) return start(e, sent);
  const auto go_on = [](void* owner, std::uint32_t) {
    auto* const d = static_cast<Deferred*>(owner);
    Messenger& self = *d->messenger;
    const Deferred copy = *d;
    self.deferred_.give(d);
    self.start(copy.envelope, copy.done);
  };
  post(request_for(e), {go_on, deferred_.take(Deferred{this, e, sent}), 0});
}

void Messenger::receive(const Envelope& e, Completion received) {
  if (!rendezvous_) return post(e, received);
  const auto go_on = [](void* owner, std::uint32_t) {
    auto* const d = static_cast<Deferred*>(owner);
    Messenger& self = *d->messenger;
    const Deferred copy = *d;
    self.deferred_.give(d);
    self.post(copy.envelope, copy.done);
  };
  start(request_for(e), {go_on, deferred_.take(Deferred{this, e, received}), 0});
}

void Messenger::start(const Envelope& e, Completion sent) {
  Parcel& m = *parcels_.take();
  m.bytes = e.bytes;
  m.source = e.key.source;
  m.destination = e.key.destination;
  m.space = e.key.space;
  m.tag = e.key.tag;
  m.node = e.node;
  m.posted = simulation_.now();
  m.owner = this;
  m.done = sent;
  m.sent = &Messenger::on_sent;
  m.delivered = &Messenger::on_delivered;
  sent_[m.source] += m.bytes;
  ++messages_;
  network_.send(m);
}

void Messenger::on_sent(net::Message& m) {
  auto& p = static_cast<Parcel&>(m);
  Messenger& self = *static_cast<Messenger*>(m.owner);
  const Completion done = p.done;
  self.release(p);
  if (done.call) done.call(done.owner, done.note);
}

void Messenger::on_delivered(net::Message& m) {
  auto& p = static_cast<Parcel&>(m);
  Messenger& self = *static_cast<Messenger*>(m.owner);
  const match::Key key{m.space, m.tag, m.source, m.destination};
  const std::uint64_t bytes = m.bytes, node = p.node;
  if (self.recorder_) [[unlikely]]
    self.recorder_->message(m.source, m.destination, m.tag, bytes, p.posted, self.simulation_.now());
  self.release(p);
  self.received_[key.destination] += bytes;
  for (match::Receive* r = self.matcher_.arrive(key, bytes, node); r;) {
    match::Receive* const next = r->next;
    self.complete(static_cast<Posted&>(*r));
    r = next;
  }
}

void Messenger::post(const Envelope& e, Completion received) {
  Posted& p = *posted_.take();
  p.bytes = e.bytes;
  p.node = e.node;
  p.done = received;
  if (!matcher_.post(e.key, p)) return;
  if (network_.completes_late_receives_at_once()) return complete(p);
  p.messenger = this;
  p.fire = [](sim::Event& event) {
    auto& posted = static_cast<Posted&>(event);
    posted.messenger->complete(posted);
  };
  simulation_.at(simulation_.now(), p);
}

void Messenger::account(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, std::uint64_t messages) {
  sent_[source] += bytes * messages;
  received_[destination] += bytes * messages;
  messages_ += messages;
  network_.account(source, destination, bytes, messages);
}

void Messenger::complete(Posted& p) {
  const Completion done = p.done;
  posted_.give(&p);
  done.call(done.owner, done.note);
}

}  // namespace tutti::workload
