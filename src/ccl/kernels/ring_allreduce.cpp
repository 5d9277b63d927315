// Ring all-reduce: reduce-scatter, then all-gather, 2 (P - 1) steps of one block each (Patarasuk and Yuan 2009).
// In step s a rank passes block (rank - s) east and takes block (rank - s - 1) from the west. A block travels as
// slot-sized messages, and a message of step s + 1 leaves as soon as its own part of step s is in: a window of messages
// is always under way.
#include <algorithm>

#include "ccl/kernel.h"

namespace tutti::ccl {
namespace {

struct Piece {
  std::int64_t first, elements;
};

/// How the tensor is cut: block b of P, in messages of at most a slot.
struct Cut {
  std::int64_t elements, ranks, per_message, messages;
  Cut(std::int64_t n, int world_size, std::int64_t slot_elements)
      : elements(n),
        ranks(world_size),
        per_message(slot_elements),
        messages(((n + ranks - 1) / ranks + slot_elements - 1) / slot_elements) {}
  Piece piece(std::int64_t block, std::int64_t message) const {
    block = ((block % ranks) + ranks) % ranks;
    const std::int64_t begin = elements * block / ranks + message * per_message;
    const std::int64_t end = std::min(elements * (block + 1) / ranks, begin + per_message);
    return {begin, std::max<std::int64_t>(end - begin, 0)};
  }
};

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  if (a.world_size == 1 || a.elements == 0) co_return;
  const std::int64_t width = memory::size_of(a.dtype);
  const Cut cut(a.elements, a.world_size, tl.slot_size(Port::E).count() / width);
  const std::int64_t steps = 2 * (a.world_size - 1);
  const std::int64_t total = steps * cut.messages;
  const std::int64_t window = std::min<std::int64_t>(cut.messages, tl.n_slots(Port::E));

  std::int64_t sent = 0;
  for (std::int64_t received = 0; received < total; ++received) {
    for (; sent < std::min(received + window, total); ++sent) {
      const Piece p = cut.piece(a.rank - sent / cut.messages, sent % cut.messages);
      if (p.elements > 0)
        co_await tl.send(Port::E, a.tensor + static_cast<Address>(p.first * width), Bytes(p.elements * width));
    }
    const std::int64_t step = received / cut.messages;
    const Piece p = cut.piece(a.rank - step - 1, received % cut.messages);
    if (p.elements == 0) continue;
    const Address mine = a.tensor + static_cast<Address>(p.first * width);
    Slot slot = co_await tl.recv(Port::W);
    if (step < a.world_size - 1)
      co_await tl.reduce(a.op, a.dtype, mine, slot.address(), p.elements);
    else
      co_await tl.copy(mine, slot.address(), slot.size());
    co_await tl.release(std::move(slot));
  }
}

}  // namespace

Kernel ring_allreduce_kernel() { return {"ring_allreduce", "ring_1d", run}; }

}  // namespace tutti::ccl
