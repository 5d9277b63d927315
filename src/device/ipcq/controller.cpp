#include "device/ipcq/controller.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "device/dma.h"
#include "device/ipcq/errors.h"
#include "device/ipcq/send_flight.h"

namespace tutti::device {

IpcqController::IpcqController(Environment& env, std::int32_t pe_index, PeId id, fabric::NodeId node, TimeUse& time)
    : env_(env), index_(pe_index), id_(id), name_(path(id)), node_(node), time_(time) {}
IpcqController::~IpcqController() = default;

void IpcqController::install(const IpcqInitMsg& init, const IpcqConfig& config,
                             const std::array<std::optional<Wiring>, max_ports>& wiring) {
  const std::uint64_t region = env_.memory.map().ring_capacity(memory_kind(init.buffer_kind).space);
  ports_ = std::make_unique<IpcqPortSet>(name_, init, Bytes(static_cast<std::int64_t>(region)), config.first_sequence);
  config_ = config;
  wiring_ = wiring;
  for (std::size_t i = 0; i < max_ports; ++i) {
    if (!wiring_[i]) continue;
    const fabric::Path& way = env_.fabric.path(node_, wiring_[i]->peer->node_);
    credit_latency_[i] = config.credit_latency == CreditLatency::full_path
                             ? fabric::path_latency(way, init.credit_size_bytes)
                             : serialization_time(Bytes(init.credit_size_bytes), way.bottleneck);
  }
}

const IpcqQueuePair& IpcqController::queue_pair(Direction port) const {
  if (!ports_) throw IpcqInvalidDirection(name_ + " has no ports installed");
  return ports_->at(port);
}

WaitQueue::Wait IpcqController::wait_on(WaitQueue& queue, const char* what) {
  const Time period = config_.backpressure == Backpressure::poll ? config_.poll_interval : Time();
  return queue.wait(what, name_.c_str(), poll_start_, period);
}

sim::Process<> IpcqController::send(Direction port, Address source, std::uint64_t bytes, Where where) {
  if (!has(port) || !wiring_[index(port)]->sends)
    throw IpcqInvalidDirection(fmt::format("{} has no neighbour to send to at port {}", name_, device::name(port)));
  IpcqQueuePair& qp = ports_->at(port);
  if (bytes > qp.peer.slot_size)
    throw IpcqSlotOverflow(fmt::format("{}: send of {} B to port {}, whose slots hold {} B", name_, bytes,
                                       device::name(port), qp.peer.slot_size));
  const Time issue = env_.spec.cpu.dispatch + env_.spec.cpu.mmio + env_.spec.ipcq.send;
  co_await env_.simulation.delay(issue);
  time_.issue += issue;

  QueuePairUse& use = use_[index(port)];
  if (qp.full()) {
    const Time began = env_.simulation.now();
    ++use.stalls;
    poll_start_ = began;
    block("send", port, where);
    while (qp.full()) co_await wait_on(free_slot_[index(port)], "a free slot at the peer (send)");
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
  const IpcqDmaToken token{source, taken.dst_pa, static_cast<std::uint32_t>(bytes), taken.sender_seq, id_.sip, id_.cube,
                           id_.pe, port};
  const MessageKey message{to.peer_index, to.peer_port, sequence};
  env_.record(&Recorder::send_issued, SendRecord{message, index_, port, source, taken.dst_pa, bytes, where},
              env_.simulation.now());

  if (idle_flights_.empty()) {
    flights_.push_back(std::make_unique<SendFlight>(*this));
    idle_flights_.push_back(flights_.back().get());
  }
  SendFlight& flight = *idle_flights_.back();
  idle_flights_.pop_back();
  bool in_own_tcm = true;
  if (bytes != 0) {
    const MemoryPart& part = env_.memory.part(source);
    in_own_tcm = part.kind->in_pe && part.owner == index_;
  }
  if (!in_own_tcm) {  // the DMA fetches it first: what is sent is what the memory held when it was read
    const Time began = env_.simulation.now();
    flight.bytes.resize(bytes);
    co_await read_memory(env_, node_, name_.c_str(), source, flight.bytes, vc_comm);
    time_.memory += env_.simulation.now() - began;
  }
  flight.start(token, *to.peer, message, !in_own_tcm);
}

sim::Process<ReceivedSlot> IpcqController::recv(std::optional<Direction> port, Where where) {
  if (port ? !has(*port) || !wiring_[index(*port)]->receives : !ports_)
    throw IpcqInvalidDirection(fmt::format("{} has no neighbour to receive from at {}", name_,
                                           port ? device::name(*port) : std::string_view("any port")));
  const Time issue = env_.spec.cpu.dispatch + env_.spec.cpu.mmio;
  co_await env_.simulation.delay(issue);
  time_.issue += issue + env_.spec.ipcq.recv;

  const Time began = env_.simulation.now();
  std::optional<Direction> from;
  for (bool first = true;; first = false) {
    if (port && ports_->at(*port).can_receive()) from = port;
    if (!port) from = ports_->next_any(config_.fairness);
    if (from) break;
    if (first) {
      poll_start_ = began;
      block(port ? "recv" : "recv_any", port, where);
    }
    co_await wait_on(data_, port ? "data of a port (recv)" : "data of any port (recv)");
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
  co_await env_.simulation.delay(env_.spec.ipcq.recv);
  if (config_.slot_release == SlotRelease::at_recv) {
    ReceivedSlot credited = held;
    co_await release(held, where);
    credited.credited = true;
    co_return credited;
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

sim::Process<> IpcqController::release(ReceivedSlot held, Where) {
  if (held.credited || !release_slot(held)) co_return;
  const Time arrival = emit_credit(held.port);
  if (config_.credit_wait == CreditWait::posted) co_return;
  const Time wait = arrival - env_.simulation.now();
  co_await env_.simulation.delay(wait);
  time_.credit_emit += wait;
}

void IpcqController::release_posted(const ReceivedSlot& held) {
  if (!held.credited && release_slot(held)) emit_credit(held.port);
}

Time IpcqController::emit_credit(Direction port) {
  const IpcqQueuePair& qp = ports_->at(port);
  if (idle_credits_.empty()) {
    credits_.push_back(std::make_unique<CreditFlight>(*this));
    idle_credits_.push_back(credits_.back().get());
  }
  CreditFlight& flight = *idle_credits_.back();
  idle_credits_.pop_back();
  flight.to = wiring_[index(port)]->peer;
  flight.credit = {static_cast<std::uint32_t>(qp.credited()), qp.rx_base, id_.sip, id_.cube, id_.pe, port};
  const Time arrival = env_.simulation.now() + env_.spec.ipcq.credit_gen + credit_latency_[index(port)];
  env_.simulation.at(arrival, flight);
  return arrival;
}

void IpcqController::deliver(const IpcqDmaToken& token, std::span<const std::byte> bytes) {
  IpcqQueuePair& qp = ports_->ring_of(token.dst_addr);
  if (!bytes.empty()) env_.memory.write(token.dst_addr, bytes);
  const bool moved = qp.arrive(token);
  env_.record(&Recorder::slot_written, key(qp.direction, qp.sequence_of(token.sender_seq)), env_.simulation.now());
  if (moved) data_.notify(env_.simulation);
}

void IpcqController::credit_arrived(const IpcqCreditMetadata& credit) {
  IpcqQueuePair& qp = ports_->sender_of(credit);
  const std::uint64_t before = qp.my_head - qp.peer_tail_cache;
  if (!qp.credit(credit.consumer_seq)) return;
  use_[index(qp.direction)].occupancy(before, qp.my_head - qp.peer_tail_cache, env_.simulation.now());
  const Wiring& to = *wiring_[index(qp.direction)];
  env_.record(&Recorder::credited, MessageKey{to.peer_index, to.peer_port, qp.peer_tail_cache}, env_.simulation.now());
  free_slot_[index(qp.direction)].notify(env_.simulation);
}

}  // namespace tutti::device
