#pragma once
#include <algorithm>

#include "ccl/helpers.h"
#include "ccl/kernel.h"

namespace tutti::ccl {

/// Blocks that travel around a ring. In step s a rank passes block (first - s) on and takes block (first - s - 1) in,
/// `steps` times; in the first `reduce_steps` of them what comes in is reduced into the tensor, later it replaces it.
/// A block travels as messages of at most a slot, and a message of step s + 1 leaves as soon as its own part of step s
/// is in: a window of messages is always under way.
class RingWalk {
 public:
  struct Ring {
    Port out, in;
    int size;
  };
  RingWalk(Endpoint& tl, const KernelArgs& a, Ring ring, Piece range, int first, int steps, int reduce_steps)
      : tl_(tl), a_(a), ring_(ring), range_(range), first_(first), reduce_steps_(reduce_steps) {
    if (ring.size < 2 || range.elements == 0) return;
    per_message_ = elements_per_slot(tl, ring.out, a.dtype);
    const std::int64_t largest_block = (range.elements + ring.size - 1) / ring.size;
    messages_ = (largest_block + per_message_ - 1) / per_message_;
    total_ = steps * messages_;
    window_ = std::min<std::int64_t>(messages_, tl.n_slots(ring.out));
  }

  bool done() const { return received_ == total_; }
  /// Sends what the window allows and takes the next message in. @pre !done().
  sim::Process<> advance() {
    for (; sent_ < std::min(received_ + window_, total_); ++sent_) {
      const Piece p = message(first_ - sent_ / messages_, sent_ % messages_);
      if (p.elements > 0) co_await tl_.send(ring_.out, address_of(a_.tensor, p.first, a_.dtype), bytes_of(p, a_.dtype));
    }
    const std::int64_t step = received_ / messages_;
    const Piece p = message(first_ - step - 1, received_ % messages_);
    ++received_;
    if (p.elements == 0) co_return;
    const Address mine = address_of(a_.tensor, p.first, a_.dtype);
    Slot slot = co_await tl_.recv(ring_.in);
    if (step < reduce_steps_)
      co_await tl_.reduce(a_.op, a_.dtype, mine, slot.address(), p.elements);
    else
      co_await tl_.copy(mine, slot.address(), slot.size());
    co_await tl_.release(std::move(slot));
  }

 private:
  Piece message(std::int64_t block, std::int64_t number) const {
    const Piece whole = part(range_, ring_.size, block);
    const std::int64_t begin = number * per_message_;
    return {whole.first + begin, std::clamp<std::int64_t>(whole.elements - begin, 0, per_message_)};
  }

  Endpoint& tl_;
  KernelArgs a_;
  Ring ring_;
  Piece range_;
  std::int64_t first_, reduce_steps_;
  std::int64_t per_message_ = 1, messages_ = 0, total_ = 0, window_ = 0, sent_ = 0, received_ = 0;
};

inline sim::Process<> finish(RingWalk walk) {
  while (!walk.done()) co_await walk.advance();
}

/// After it, block `position` of `range` is reduced over the ring at this rank.
inline sim::Process<> ring_reduce_scatter(Endpoint& tl, const KernelArgs& a, RingWalk::Ring ring, Piece range,
                                          int position) {
  return finish(RingWalk(tl, a, ring, range, position - 1, ring.size - 1, ring.size - 1));
}
/// Before it, block `position` of `range` is at this rank; after it, all are.
inline sim::Process<> ring_all_gather(Endpoint& tl, const KernelArgs& a, RingWalk::Ring ring, Piece range,
                                      int position) {
  return finish(RingWalk(tl, a, ring, range, position, ring.size - 1, 0));
}
inline sim::Process<> ring_all_reduce(Endpoint& tl, const KernelArgs& a, RingWalk::Ring ring, Piece range,
                                      int position) {
  return finish(RingWalk(tl, a, ring, range, position, 2 * (ring.size - 1), ring.size - 1));
}

}  // namespace tutti::ccl
