#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "ccl/helpers.h"
#include "ccl/kernel.h"

namespace tutti::ccl {

/// Reduces `range` towards the root of a tree and brings the result back down, in messages of at most a slot. A rank
/// sends message i up before it waits for message i - n_slots from above: the way down follows the way up at the
/// distance that the slots allow, and no rank waits for one that waits for it.
inline sim::Process<> tree_all_reduce(Endpoint& tl, KernelArgs a, std::optional<Port> parent,
                                      std::vector<Port> children, Piece range) {
  if (range.elements == 0 || (!parent && children.empty())) co_return;
  const Port any = parent ? *parent : children.front();
  const std::int64_t per_message = elements_per_slot(tl, any, a.dtype);
  const std::int64_t messages = (range.elements + per_message - 1) / per_message;
  const std::int64_t lead = parent ? tl.n_slots(*parent) : 0;
  for (std::int64_t i = 0; i < messages + lead; ++i) {
    if (i < messages) {
      const Piece p{range.first + i * per_message, std::min(per_message, range.elements - i * per_message)};
      const Address mine = address_of(a.tensor, p.first, a.dtype);
      for (const Port child : children) {
        Slot slot = co_await tl.recv(child);
        co_await tl.reduce(a.op, a.dtype, mine, slot.address(), p.elements);
        co_await tl.release(std::move(slot));
      }
      if (parent) co_await tl.send(*parent, mine, bytes_of(p, a.dtype));
    }
    const std::int64_t j = i - lead;
    if (j < 0 || j >= messages) continue;
    const Piece p{range.first + j * per_message, std::min(per_message, range.elements - j * per_message)};
    const Address mine = address_of(a.tensor, p.first, a.dtype);
    if (parent) co_await tl.recv_into(*parent, mine);
    for (const Port child : children) co_await tl.send(child, mine, bytes_of(p, a.dtype));
  }
}

/// The ports of a rank's children in tree_binary.
inline std::vector<Port> tree_children(const Endpoint& tl) {
  std::vector<Port> all;
  for (const Port p : {Port::child_left, Port::child_right})
    if (tl.has(p)) all.push_back(p);
  return all;
}
inline std::optional<Port> tree_parent(const Endpoint& tl) {
  return tl.has(Port::parent) ? std::optional(Port::parent) : std::nullopt;
}

}  // namespace tutti::ccl
