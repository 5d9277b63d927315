#include "ccl/endpoint.h"

#include <fmt/format.h>

namespace tutti::ccl {

sim::Process<Slot> Endpoint::recv(Port port, Where where) {
  const Tickets& t = tickets(port);
  return t.given == t.served ? receive(port, where) : receive_in_turn(port, where);
}

sim::Process<Slot> Endpoint::receive_in_turn(Port port, Where where) {
  const Ticket ticket = recv_async(port);
  co_return co_await wait(ticket, where);
}

sim::Process<Slot> Endpoint::recv_any(Where where) {
  for (std::size_t p = 0; p < tickets_.size(); ++p)
    if (tickets_[p].given != tickets_[p].served)
      misused(fmt::format("recv_any at {}:{} while a ticket of port {} is outstanding", where.file_name(), where.line(),
                          name(static_cast<Port>(p))));
  return receive_any(where);
}

sim::Process<Bytes> Endpoint::recv_into(Port port, Address destination, Where where) {
  Slot slot = co_await recv(port, where);
  const Bytes size = slot.size();
  if (size > Bytes()) co_await copy(destination, slot.address(), size, where);
  co_await release(std::move(slot), where);
  co_return size;
}

Ticket Endpoint::recv_async(Port port) { return {port, tickets(port).given++}; }

sim::Process<Slot> Endpoint::wait(Ticket ticket, Where where) {
  Tickets& t = tickets(ticket.port);
  if (ticket.number >= t.given || ticket.number < t.first ||
      (ticket.number < t.served && !t.ready[ticket.number - t.first].held()))
    misused(fmt::format("wait at {}:{} for ticket {} of port {}, which was not given or has been waited for",
                        where.file_name(), where.line(), ticket.number, name(ticket.port)));
  while (t.served <= ticket.number) {
    Slot slot = co_await receive(ticket.port, where);
    t.ready.push_back(std::move(slot));
    ++t.served;
  }
  Slot mine = std::move(t.ready[ticket.number - t.first]);
  for (; !t.ready.empty() && !t.ready.front().held(); ++t.first) t.ready.pop_front();
  co_return mine;
}

sim::Process<std::vector<Slot>> Endpoint::recv_all(std::vector<Port> ports, Where where) {
  std::vector<Slot> slots;
  for (const Port p : ports) {
    Slot slot = co_await recv(p, where);
    slots.push_back(std::move(slot));
  }
  co_return slots;
}

sim::Process<Slot> Endpoint::send_recv(Port to, Address source, Bytes size, Port from, Where where) {
  const Ticket ticket = recv_async(from);
  co_await send(to, source, size, where);
  co_return co_await wait(ticket, where);
}

}  // namespace tutti::ccl
