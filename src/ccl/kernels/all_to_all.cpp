// Ring all-to-all: in step s = 1 to P - 1 a rank takes the blocks that rank - s sent out and that are still under way,
// P - s of them, the nearest destination first. It keeps the first, its own, and passes the others on in step s + 1.
// Blocks in passing lie in a circular scratch buffer. Its size needs no waiting: a message is overwritten only after
// n_slots later ones have got a slot, so it has long left.
#include <algorithm>

#include "ccl/helpers.h"
#include "ccl/kernel.h"

namespace tutti::ccl {
namespace {

std::int64_t scratch(const KernelArgs& a, std::uint32_t n_slots, Bytes slot_size) {
  return 2 * a.elements * memory::size_of(a.dtype) + (std::int64_t{n_slots} + 2) * slot_size.count();
}

/// The messages of all steps, in order: block by block, slot by slot.
class Course {
 public:
  Course(const KernelArgs& a, std::int64_t per_message) : a_(a), per_message_(per_message) { skip_empty(); }
  bool done() const { return step_ >= a_.world_size; }
  int step() const { return step_; }
  int block() const { return block_; }  ///< 0: for the rank that takes it in
  /// Of the source's tensor, in message `number`. @param taker  the rank that takes the message in.
  Piece piece(int taker) const { return piece_of(taker + block_); }
  std::int64_t position() const { return position_; }
  void next() {
    ++number_, ++position_;
    skip_empty();
  }

 private:
  // The number of messages depends on the largest block only, so that every rank counts alike.
  std::int64_t messages() const {
    const std::int64_t largest = (a_.elements + a_.world_size - 1) / a_.world_size;
    return (largest + per_message_ - 1) / per_message_;
  }
  Piece piece_of(int destination) const {
    const Piece whole = part({0, a_.elements}, a_.world_size, destination);
    const std::int64_t begin = number_ * per_message_;
    return {whole.first + begin, std::clamp<std::int64_t>(whole.elements - begin, 0, per_message_)};
  }
  void skip_empty() {
    while (!done() && number_ >= messages()) {
      number_ = 0;
      if (++block_ >= a_.world_size - step_) block_ = 0, ++step_;
      if (messages() == 0) step_ = a_.world_size;
    }
  }

  const KernelArgs& a_;
  std::int64_t per_message_;
  int step_ = 1, block_ = 0;
  std::int64_t number_ = 0, position_ = 0;
};

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  const Piece own = part({0, a.elements}, a.world_size, a.rank);
  if (own.elements > 0)  // the output holds what each rank sent here, in order of rank
    co_await tl.copy(address_of(a.output, own.elements * a.rank, a.dtype), address_of(a.tensor, own.first, a.dtype),
                     bytes_of(own, a.dtype));
  if (a.world_size == 1) co_return;

  const std::int64_t per_message = elements_per_slot(tl, Port::E, a.dtype), slots = tl.n_slots(Port::E);
  const std::int64_t room = scratch(a, tl.n_slots(Port::E), tl.slot_size(Port::E)) / memory::size_of(a.dtype);
  std::deque<Piece> passing;  // in scratch, in order of arrival
  std::int64_t at = 0;
  Course out(a, per_message), in(a, per_message);
  while (!in.done()) {
    // Never further ahead than the slots hold: a rank whose neighbour is behind waits, so the last one never does.
    for (; !out.done() && out.position() < in.position() + slots; out.next()) {
      const Piece p = out.piece(a.rank + 1);
      if (p.elements == 0) continue;
      if (out.step() == 1) {
        co_await tl.send(Port::E, address_of(a.tensor, p.first, a.dtype), bytes_of(p, a.dtype));
        continue;
      }
      if (passing.empty()) break;
      co_await tl.send(Port::E, address_of(a.scratch, passing.front().first, a.dtype), bytes_of(p, a.dtype));
      passing.pop_front();
    }
    const Piece p = in.piece(a.rank);
    if (p.elements > 0 && in.block() == 0) {
      const std::int64_t source = (a.rank - in.step() + a.world_size) % a.world_size;
      const std::int64_t place = own.elements * source + (p.first - own.first);
      co_await tl.recv_into(Port::W, address_of(a.output, place, a.dtype));
    } else if (p.elements > 0) {
      if (at + p.elements > room) at = 0;
      co_await tl.recv_into(Port::W, address_of(a.scratch, at, a.dtype));
      passing.push_back({at, p.elements});
      at += p.elements;
    }
    in.next();
  }
}

}  // namespace

Kernel all_to_all_kernel() { return {"all_to_all", "ring_1d", run, "all_to_all", nullptr, scratch}; }

}  // namespace tutti::ccl
