#include <bit>

#include "workload/collective/algorithms.h"

namespace tutti::workload {

std::uint32_t HalvingDoubling::halvings() const { return static_cast<std::uint32_t>(std::countr_zero(s.n)); }

HalvingDoubling::Message HalvingDoubling::message(std::uint32_t k) const {
  const Phase& p = engine.phase(s);
  const std::uint32_t steps = halvings();
  const bool doubling = p.op == CollectiveOp::all_gather || k >= steps;
  // Offset 2^j: ascending while halving, descending while doubling.
  const std::uint32_t j = !doubling ? k : steps - 1 - (p.op == CollectiveOp::all_gather ? k : k - steps);
  const std::uint32_t offset = 1U << j, partner = s.position ^ offset;
  if (engine.rules_.astra) {
    // The doubling half of an all-reduce grows from the truncated D / n.
    const std::uint64_t bytes = p.op == CollectiveOp::all_gather ? s.data << k
                                : doubling                       ? s.data >> steps << (k - steps)
                                                                 : s.data >> (k + 1);
    return {partner, bytes, bytes};
  }
  // After offsets 1 .. 2^j two ranks hold blocks whose low j + 1 bits are their own. Halving gives the partner its
  // blocks, doubling gives back one's own.
  const std::uint64_t total = p.op == CollectiveOp::all_gather ? engine.phase_result(s) : s.data;
  const Blocks blocks{total, s.n};
  const std::uint32_t modulus = offset * 2, mine = s.position % modulus, theirs = partner % modulus;
  const std::uint64_t my_blocks = blocks.sum(modulus, mine), their_blocks = blocks.sum(modulus, theirs);
  return doubling ? Message{partner, my_blocks, their_blocks} : Message{partner, their_blocks, my_blocks};
}

void HalvingDoubling::start() {
  const std::uint32_t steps = halvings();
  s.to_send = engine.phase(s).op == CollectiveOp::all_reduce ? 2 * steps : steps;
  s.sent = 0;
  engine.step(s, false, Time());
}

void HalvingDoubling::step_done() {
  if (s.sent == s.to_send) return engine.phase_finished(s);
  post_message();
}

void HalvingDoubling::post_message() {
  const Message m = message(s.sent++);
  engine.send(s, m.partner, m.sent);
  engine.receive(s, m.partner, m.received);
}

void HalvingDoubling::received() {
  const bool gathers = engine.phase(s).op == CollectiveOp::all_gather;
  const std::uint32_t receives = s.sent, steps = halvings();
  bool reduces = !gathers && receives <= steps;
  Time reduction;
  if (engine.rules_.next_message_reduction) {
    reduces = reduces && receives < steps;
    if (reduces) reduction = engine.reduction_time(message(receives).sent);
  } else if (reduces) {
    reduction = engine.reduction_time(message(receives - 1).received);
  }
  engine.step(s, reduces, reduction);
}

}  // namespace tutti::workload
