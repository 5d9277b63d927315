#include "device/ipcq/controller.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "device/dma.h"
#include "device/ipcq/errors.h"
#include "device/ipcq/port_wait.h"
#include "device/ipcq/protocol_flight.h"
#include "device/ipcq/send_flight.h"

namespace tutti::device {

IpcqController::IpcqController(Environment& env, std::int32_t pe_index, PeId id, fabric::NodeId node, TimeUse& time)
    : env_(env), index_(pe_index), id_(id), name_(path(id)), node_(node), time_(time) {}
IpcqController::~IpcqController() = default;

void IpcqController::begin_kernel() {
  kernel_ended_ = program_ended_ = false;
  program_.clear();
}

void IpcqController::install(const IpcqInitMsg& init, const IpcqConfig& wanted,
                             std::vector<std::optional<Wiring>> wiring) {
  const IpcqConfig config = effective(wanted);
  const std::uint64_t region = env_.memory.map().ring_capacity(memory_kind(init.buffer_kind).space);
  const bool own_channel =
      config.credit_mode == CreditMode::link || (config.credit_mode == CreditMode::vc_mux && config.credit_priority);
  credit_channel_ = own_channel ? vc_credit : vc_comm;
  if (own_channel && env_.fabric.spec().channels.size() <= vc_credit)
    throw ModelError(name_ +
                     ": this credit mode needs a third channel on the links (fabric_spec in device/channels.h)");
  credit_bytes_ = config.protocol == Protocol::doorbell ? doorbell_bytes : init.credit_size_bytes;
  ports_ = std::make_unique<IpcqPortSet>(name_, init, Bytes(static_cast<std::int64_t>(region)), config.first_sequence);
  config_ = config;
  times_ = protocol_times(config.protocol, env_.spec);
  wiring_ = std::move(wiring);
  use_.resize(ports()), credit_latency_.resize(ports()), held_credits_.resize(ports()), posted_.resize(ports());
  last_credit_.assign(ports(), config.first_sequence);
  unread_sources_.assign(ports(), 0);
  free_slot_ = std::vector<WaitQueue>(ports());
  for (std::size_t i = 0; i < ports(); ++i) {
    if (!wiring_[i]) continue;
    const fabric::Path& way = env_.fabric.path(node_, wiring_[i]->peer->node_);
    held_credits_[i] = std::make_unique<HoldTimer>(*this, static_cast<Direction>(i));
    credit_latency_[i] = config.credit_latency == CreditLatency::full_path
                             ? fabric::path_latency(way, init.credit_size_bytes)
                             : serialization_time(Bytes(init.credit_size_bytes), way.bottleneck);
  }
}

const IpcqQueuePair& IpcqController::queue_pair(Direction port) const {
  if (!ports_) throw IpcqInvalidDirection(name_ + " has no ports installed");
  return ports_->at(port);
}

WaitQueue::Wait IpcqController::wait_on(WaitQueue& queue, const PortWait& why, Where where) {
  const Time period = config_.backpressure == Backpressure::poll ? config_.poll_interval : Time();
  return queue.wait(why, where, why.began(), period);
}

sim::Process<> IpcqController::send(Direction port, Address source, std::uint64_t bytes, Where where,
                                    std::uint8_t type) {
  if (!has(port) || !wiring_[index(port)]->sends)
    throw IpcqInvalidDirection(fmt::format("{} has no neighbour to send to at port {}", name_, device::name(port)));
  IpcqQueuePair& qp = ports_->at(port);
  if (bytes > qp.peer.slot_size)
    throw IpcqSlotOverflow(fmt::format("{}: send of {} B to port {}, whose slots hold {} B", name_, bytes,
                                       device::name(port), qp.peer.slot_size));
  note("send", port, where);
  if (env_.faults) co_await stop_if_stuck(where);
  const Time issue = times_.issue;
  co_await env_.simulation.delay(issue);
  time_.issue += issue;

  QueuePairUse& use = use_[index(port)];
  if (qp.full()) {
    const Time began = env_.simulation.now();
    ++use.stalls;
    block("send", port, where);
    const PortWait why(*this, port, true, began);
    while (qp.full()) co_await wait_on(free_slot_[index(port)], why, where);
    blocked_.call = nullptr;
    time_.credit += env_.simulation.now() - began;
    use.stalled += env_.simulation.now() - began;
  }
  const Wiring& to = *wiring_[index(port)];
  const std::uint64_t sequence = qp.my_head;
  const IpcqQueuePair::Send taken = qp.take_send(static_cast<std::uint32_t>(bytes));
  use.occupancy(sequence - qp.peer_tail_cache, qp.my_head - qp.peer_tail_cache, env_.simulation.now());
  ++use.messages;
  use.bytes += bytes;
  IpcqDmaToken token{
      source, taken.dst_pa, static_cast<std::uint32_t>(bytes), taken.sender_seq, id_.sip, id_.cube, id_.pe, port, false,
      0,      type};
  if (HoldTimer& held = *held_credits_[index(port)]; held.holds) {
    held.holds = false;
    token.has_ack = true;
    token.credit_ack = static_cast<std::uint32_t>(qp.credited());
    last_credit_[index(port)] = qp.credited();
    ++use.acknowledgements;
  }
  const MessageKey message{to.peer_index, to.peer_port, sequence};
  env_.record(&Recorder::send_issued, SendRecord{message, index_, port, source, taken.dst_pa, bytes, where},
              env_.simulation.now());

  bool in_own_tcm = true;
  if (bytes != 0) {
    const MemoryPart& part = env_.memory.part(source);
    in_own_tcm = part.kind->in_pe && part.owner == index_;
  }
  if (config_.protocol != Protocol::ipcq && config_.protocol != Protocol::credit_in_data) {
    co_await hand_over(token, message, in_own_tcm, where);
    co_return;
  }
  if (idle_flights_.empty()) {
    flights_.push_back(std::make_unique<SendFlight>(*this));
    idle_flights_.push_back(flights_.back().get());
  }
  SendFlight& flight = *idle_flights_.back();
  idle_flights_.pop_back();
  if (!in_own_tcm) {  // the DMA fetches it first: what is sent is what the memory held when it was read
    const Time began = env_.simulation.now();
    flight.bytes.resize(bytes);
    co_await read_memory(env_, node_, name_, source, flight.bytes, vc_comm);
    time_.memory += env_.simulation.now() - began;
  }
  flight.start(token, *to.peer, message, !in_own_tcm);
}

sim::Process<> IpcqController::stop_if_stuck(Where where) {
  const auto from = env_.faults->stuck(index_);
  if (!from || env_.simulation.now() < *from) co_return;
  sim::Signal never{"a PE that is stuck (fault)"};
  co_await never.wait(where);
}

sim::Process<> IpcqController::wait_left(Direction port, Where where) {
  while (!left(port)) co_await source_read_.wait(where);
}

sim::Process<> IpcqController::hand_over(IpcqDmaToken token, MessageKey message, bool in_own_tcm, Where where) {
  if (idle_protocol_flights_.empty()) {
    protocol_flights_.push_back(std::make_unique<ProtocolFlight>(*this));
    idle_protocol_flights_.push_back(protocol_flights_.back().get());
  }
  ProtocolFlight& flight = *idle_protocol_flights_.back();
  idle_protocol_flights_.pop_back();
  Time began = env_.simulation.now();
  if (!in_own_tcm) {
    flight.bytes.resize(token.nbytes);
    co_await read_memory(env_, node_, name_, token.src_addr, flight.bytes, vc_comm);
    time_.memory += env_.simulation.now() - began;
  }
  flight.start(token, *wiring_[index(token.src_direction)]->peer, message, !in_own_tcm);
  if (config_.protocol != Protocol::doorbell) co_return;
  began = env_.simulation.now();
  co_await flight.fence(where);
  time_.memory += env_.simulation.now() - began;
  co_await env_.simulation.delay(env_.spec.cpu.mmio);
  time_.issue += env_.spec.cpu.mmio;
  flight.ring();
}

void IpcqController::check_receives(std::optional<Direction> port) const {
  if (port ? !has(*port) || !wiring_[index(*port)]->receives : !ports_)
    throw IpcqInvalidDirection(fmt::format("{} has no neighbour to receive from at {}", name_,
                                           port ? device::name(*port) : std::string_view("any port")));
}

sim::Process<ReceivedSlot> IpcqController::recv(std::optional<Direction> port, Where where) {
  check_receives(port);
  note(port ? "recv" : "recv_any", port, where);
  if (env_.faults) co_await stop_if_stuck(where);
  if (port && posted_[index(*port)].issued != posted_[index(*port)].completed) {
    const ReceiveTicket ticket = co_await recv_async(*port, where);
    co_return co_await wait(ticket, where);
  }
  const Time issue = env_.spec.cpu.dispatch + env_.spec.cpu.mmio;
  co_await env_.simulation.delay(issue);
  time_.issue += issue;
  const ReceivedSlot held = co_await take(port, port ? "recv" : "recv_any", where);
  co_return co_await finish(held, where);
}

sim::Process<ReceiveTicket> IpcqController::recv_async(Direction port, Where where) {
  check_receives(port);
  note("recv_async", port, where);
  const Time issue = env_.spec.cpu.dispatch + env_.spec.cpu.mmio;
  co_await env_.simulation.delay(issue);
  time_.issue += issue;
  co_return ReceiveTicket{port, posted_[index(port)].issued++};
}

sim::Process<ReceivedSlot> IpcqController::wait(ReceiveTicket ticket, Where where) {
  Posted& posted = posted_[index(ticket.port)];
  if (ticket.number >= posted.issued) throw ModelError(name_ + ": wait for a receive that was never posted");
  while (posted.completed <= ticket.number) {
    const ReceivedSlot held = co_await take(ticket.port, "wait", where);
    posted.ready.emplace_back(posted.completed++, held);
  }
  const auto found =
      std::find_if(posted.ready.begin(), posted.ready.end(), [&](const auto& r) { return r.first == ticket.number; });
  if (found == posted.ready.end()) throw ModelError(name_ + ": a posted receive was waited for twice");
  const ReceivedSlot held = found->second;
  posted.ready.erase(found);
  co_return co_await finish(held, where);
}

sim::Process<ReceivedSlot> IpcqController::take(std::optional<Direction> port, const char* call, Where where) {
  const Time began = env_.simulation.now();
  const PortWait why(*this, port, false, began);
  std::optional<Direction> from;
  for (bool first = true;; first = false) {
    if (port && ports_->at(*port).can_receive()) from = port;
    if (!port) {
      from = ports_->next_any(config_.fairness, [this](Direction d) {
        return wiring_[index(d)]->receives && posted_[index(d)].issued == posted_[index(d)].completed;
      });
    }
    if (from) break;
    if (first) block(call, port, where);
    co_await wait_on(data_, why, where);
  }
  blocked_.call = nullptr;
  const ReceivedSlot held{*from, ports_->at(*from).take_receive(), false};
  take_wait_apart(began, held.slot.nbytes, *from);
  QueuePairUse& use = use_[index(*from)];
  ++use.received;
  use.bytes_received += held.slot.nbytes;
  env_.record(&Recorder::received,
              ReceiveRecord{key(*from, held.slot.sequence), held.slot.address, held.slot.nbytes, where},
              env_.simulation.now());
  co_return held;
}

/// The IPCQ's own time, and the credit if it leaves at once.
sim::Process<ReceivedSlot> IpcqController::finish(ReceivedSlot held, Where where) {
  co_await env_.simulation.delay(times_.finish);
  time_.issue += times_.finish;
  if (config_.slot_release == SlotRelease::at_recv) {
    co_await release(held, where);
    held.credited = true;
  }
  co_return held;
}

void IpcqController::take_wait_apart(Time began, std::uint64_t bytes, Direction port) {
  Time wait = env_.simulation.now() - began;
  if (wait == Time()) return;
  const fabric::Path& way = env_.fabric.path(wiring_[index(port)]->peer->node_, node_);
  const Time serialization =
      std::min(wait, serialization_time(Bytes(static_cast<std::int64_t>(bytes)), way.bottleneck));
  wait -= serialization;
  const Time latency = std::min(wait, way.head);
  time_.serialization += serialization;
  time_.latency += latency;
  time_.peer += wait - latency;
}

bool IpcqController::release_slot(const ReceivedSlot& held) {
  const bool moved = ports_->at(held.port).release(held.slot);
  env_.record(&Recorder::released, key(held.port, held.slot.sequence), env_.simulation.now());
  return moved;
}

/// Starts a credit and waits until it is there.
class CreditEmit {
 public:
  CreditEmit(IpcqController& c, Direction port, Where where)
      : controller_(&c), port_(port), waiter_("its credit to arrive (release)", c.name(), true, where) {}
  bool await_ready() const { return false; }
  template <class P>
  void await_suspend(std::coroutine_handle<P> h) {
    waiter_.suspend(h);
    controller_->emit_credit(port_, &waiter_);
  }
  void await_resume() const {}

 private:
  IpcqController* controller_;
  Direction port_;
  sim::OwnWaiter waiter_;
};

sim::Process<> IpcqController::release(ReceivedSlot held, Where where) {
  if (held.credited || !release_slot(held)) co_return;
  if (config_.credit_wait == CreditWait::posted || config_.credit_mode == CreditMode::piggyback) {
    emit_credit(held.port);
    co_return;
  }
  const Time began = env_.simulation.now();
  co_await CreditEmit(*this, held.port, where);
  time_.credit_emit += env_.simulation.now() - began;
}

void IpcqController::release_posted(const ReceivedSlot& held) {
  if (!held.credited && release_slot(held)) emit_credit(held.port);
}

void IpcqController::emit_credit(Direction port, sim::OwnWaiter* waiter) {
  if (config_.credit_mode == CreditMode::piggyback)
    hold_credit(port);
  else
    emit_alone(port, waiter);
}

void IpcqController::emit_alone(Direction port, sim::OwnWaiter* waiter) {
  const IpcqQueuePair& qp = ports_->at(port);
  if (idle_credits_.empty()) {
    credits_.push_back(std::make_unique<CreditFlight>(*this));
    idle_credits_.push_back(credits_.back().get());
  }
  CreditFlight& flight = *idle_credits_.back();
  idle_credits_.pop_back();
  flight.to = wiring_[index(port)]->peer;
  flight.credit = {static_cast<std::uint32_t>(qp.credited()), qp.rx_base, id_.sip, id_.cube, id_.pe, port};
  flight.waiter = waiter;
  const Time path = credit_is_packet() ? Time() : credit_latency_[index(port)];
  ++use_[index(port)].credits;
  env_.simulation.after(times_.credit + path, flight);
}

void IpcqController::hold_credit(Direction port) {
  HoldTimer& held = *held_credits_[index(port)];
  const IpcqQueuePair& qp = ports_->at(port);
  const std::uint64_t owed = qp.credited() - last_credit_[index(port)];
  if (kernel_ended_ || static_cast<double>(owed) >= config_.piggyback_low_water * qp.n_slots) {
    held.holds = false;
    last_credit_[index(port)] = qp.credited();
    emit_alone(port, nullptr);
    return;
  }
  if (held.holds) return;
  held.holds = true;
  held.since = env_.simulation.now();
  if (!held.scheduled) {
    held.scheduled = true;
    env_.simulation.after(config_.piggyback_timeout, held);
  }
}

void IpcqController::hold_timed_out(Direction port) {
  HoldTimer& held = *held_credits_[index(port)];
  if (!held.holds) return;
  const Time due = held.since + config_.piggyback_timeout;
  if (env_.simulation.now() < due) {
    held.scheduled = true;
    env_.simulation.at(due, held);
    return;
  }
  held.holds = false;
  last_credit_[index(port)] = ports_->at(port).credited();
  emit_alone(port, nullptr);
}

void IpcqController::flush_credits() {
  kernel_ended_ = true;
  for (std::size_t i = 0; i < ports(); ++i) {
    if (!held_credits_[i] || !held_credits_[i]->holds) continue;
    held_credits_[i]->holds = false;
    last_credit_[i] = ports_->at(static_cast<Direction>(i)).credited();
    emit_alone(static_cast<Direction>(i), nullptr);
  }
}

void IpcqController::deliver(const IpcqDmaToken& token, std::span<const std::byte> bytes) {
  IpcqQueuePair& qp = ports_->ring_of(token.dst_addr);
  if (!bytes.empty()) env_.memory.write(token.dst_addr, bytes);
  const bool moved = qp.arrive(token);
  env_.record(&Recorder::slot_written, key(qp.direction, qp.sequence_of(token.sender_seq)), env_.simulation.now());
  if (token.has_ack) credit_moved(qp, token.credit_ack);
  if (moved) data_.notify(env_.simulation.now());
}

void IpcqController::credit_arrived(const IpcqCreditMetadata& credit) {
  credit_moved(ports_->sender_of(credit), credit.consumer_seq);
}

void IpcqController::credit_moved(IpcqQueuePair& qp, std::uint32_t consumer_seq) {
  const std::uint64_t before = qp.my_head - qp.peer_tail_cache;
  if (!qp.credit(consumer_seq)) return;
  use_[index(qp.direction)].occupancy(before, qp.my_head - qp.peer_tail_cache, env_.simulation.now());
  const Wiring& to = *wiring_[index(qp.direction)];
  env_.record(&Recorder::credited, MessageKey{to.peer_index, to.peer_port, qp.peer_tail_cache}, env_.simulation.now());
  free_slot_[index(qp.direction)].notify(env_.simulation.now());
}

}  // namespace tutti::device
