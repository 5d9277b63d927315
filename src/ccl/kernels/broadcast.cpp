// Chain broadcast: messages of a slot run east from the root, each rank keeps a copy and passes it on.
#include <algorithm>

#include "ccl/helpers.h"
#include "ccl/kernel.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  if (a.world_size == 1) co_return;
  const int distance = (a.rank - a.root + a.world_size) % a.world_size;
  const bool first = distance == 0, last = distance == a.world_size - 1;
  const std::int64_t per_message = elements_per_slot(tl, Port::E, a.dtype);
  for (std::int64_t at = 0; at < a.elements; at += per_message) {
    const Piece p{at, std::min(per_message, a.elements - at)};
    const Address mine = address_of(a.tensor, p.first, a.dtype);
    if (!first) co_await tl.recv_into(Port::W, mine);
    if (!last) co_await tl.send(Port::E, mine, bytes_of(p, a.dtype));
  }
}

}  // namespace

Kernel broadcast_kernel() { return {"broadcast", "ring_1d", run, "broadcast"}; }

}  // namespace tutti::ccl
