#include "host/pe_endpoint.h"

#include <fmt/format.h>

#include "base/error.h"
#include "host/ports.h"

namespace tutti::host {

PeEndpoint::PeEndpoint(device::Machine& machine, device::Pe& pe) : machine_(machine), pe_(pe) {}

sim::Process<> PeEndpoint::send(ccl::Port port, ccl::Address source, Bytes size, ccl::Where where) {
  return pe_.send(direction(port), source, static_cast<std::uint64_t>(size.count()), where);
}

ccl::Slot PeEndpoint::keep(const device::ReceivedSlot& slot) {
  if (held_.size() <= static_cast<std::size_t>(slot.port)) held_.resize(static_cast<std::size_t>(slot.port) + 1);
  auto& of_port = held_[static_cast<std::size_t>(slot.port)];
  if (of_port.empty()) of_port.resize(n_slots(port(slot.port)));
  of_port[slot.slot.index] = slot;
  return ccl::Slot(*this, port(slot.port), slot.slot.address, Bytes(slot.slot.nbytes), slot.slot.sequence);
}
device::ReceivedSlot& PeEndpoint::kept(const ccl::Slot& slot) {
  auto& of_port = held_[ccl::index(slot.port())];
  return of_port[slot.sequence() % of_port.size()];
}

sim::Process<ccl::Slot> PeEndpoint::receive(ccl::Port port, ccl::Where where) {
  const device::ReceivedSlot slot = co_await pe_.recv(direction(port), where);
  co_return keep(slot);
}
sim::Process<ccl::Slot> PeEndpoint::receive_any(ccl::Where where) {
  const device::ReceivedSlot slot = co_await pe_.recv_any(where);
  co_return keep(slot);
}

sim::Process<> PeEndpoint::release(ccl::Slot slot, ccl::Where where) {
  const device::ReceivedSlot& mine = kept(slot);
  slot.forget();
  return pe_.release(mine, where);
}
void PeEndpoint::release_posted(const ccl::Slot& slot) noexcept { pe_.release_posted(kept(slot)); }

sim::Process<> PeEndpoint::left(ccl::Port port, ccl::Where where) { return pe_.left(direction(port), where); }
bool PeEndpoint::probe(ccl::Port port) const { return pe_.probe(direction(port)); }
std::uint32_t PeEndpoint::credits(ccl::Port port) const { return pe_.credits(direction(port)); }
bool PeEndpoint::has(ccl::Port port) const { return pe_.has(direction(port)); }
std::uint32_t PeEndpoint::n_slots(ccl::Port) const { return pe_.ipcq().config().n_slots; }
Bytes PeEndpoint::slot_size(ccl::Port) const { return Bytes(pe_.ipcq().config().slot_size); }

sim::Process<> PeEndpoint::reduce(memory::ReduceOp op, memory::DType t, ccl::Address accumulator, ccl::Address operand,
                                  std::int64_t elements, ccl::Where where) {
  return pe_.reduce(op, t, accumulator, operand, elements, where);
}
sim::Process<> PeEndpoint::copy(ccl::Address destination, ccl::Address source, Bytes size, ccl::Where where) {
  return pe_.copy(destination, source, static_cast<std::uint64_t>(size.count()), where);
}
ccl::Pending PeEndpoint::composite(const ccl::Gemm& g, ccl::Where where) {
  return {pe_.composite(device::GemmCall{g.a, g.b, g.c, g.m, g.n, g.k, g.dtype, g.accumulate}, where)};
}
sim::Process<> PeEndpoint::wait(ccl::Pending pending, ccl::Where where) {
  return pe_.wait_composite(pending.number, where);
}
sim::Process<> PeEndpoint::barrier(ccl::Where where) { return pe_.barrier(where); }

int PeEndpoint::program_id(int axis) const { return pe_.program_id(axis); }
int PeEndpoint::num_programs(int axis) const { return machine_.num_programs(axis); }

void PeEndpoint::misused(const std::string& what) const {
  throw ModelError(fmt::format("rank {} ({}): {}", pe_.rank, pe_.name(), what));
}

}  // namespace tutti::host
