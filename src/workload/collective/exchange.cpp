#include <algorithm>

#include "workload/collective/algorithms.h"
#include "workload/collective/lockstep.h"

namespace tutti::workload {

// Packets come in blocks: `window` that start without a reduction, then as many (in ASTRA-sim's rings of small groups
// (n - 1) * window, and in a ring always (n - 1)) that follow a receive and may reduce; of an all-reduce every second
// block does.
void Exchange::start() {
  const Phase& p = engine.phase(s);
  const bool direct = p.algorithm.kind == Algorithm::direct;
  const std::uint32_t others = s.n - 1;
  s.window = !direct ? 1 : p.algorithm.window == 0 ? others : std::min(p.algorithm.window, others);
  s.to_send = p.op == CollectiveOp::all_reduce              ? 2 * others
              : p.op == CollectiveOp::all_to_all && !direct ? s.n * others / 2
                                                            : others;
  s.message = p.op == CollectiveOp::all_gather ? s.data : s.data / s.n;
  s.reduction = engine.reduction_time(s.message);
  s.sent = s.received = s.packets = s.idle = s.start_left = s.reduce_left = 0;
  s.round = s.in_round = 1;
  s.reducing_block = false;
  const std::uint32_t window = s.window;
  for (std::uint32_t i = 0; i < window; ++i) prepare_packet();
}

void Exchange::prepare_packet() {
  const Phase& p = engine.phase(s);
  if (s.start_left == 0 && s.reduce_left == 0) {
    const bool long_block = p.algorithm.kind == Algorithm::ring || (s.list && engine.rules_.local_ring_delay);
    s.start_left = s.window;
    s.reduce_left = long_block ? (s.n - 1) * s.window : s.window;
    s.reducing_block = !s.reducing_block;
  }
  ++s.packets;
  bool reduces = false;
  if (!engine.rules_.next_message_reduction) {
    // Each contribution is reduced once: those of a reduce-scatter, and of the first half of an all-reduce.
    reduces = s.received > 0 &&
              (p.op == CollectiveOp::reduce_scatter || (p.op == CollectiveOp::all_reduce && s.received < s.n));
  } else if (s.start_left > 0) {
    --s.start_left;
  } else {
    --s.reduce_left;
    reduces = p.op == CollectiveOp::reduce_scatter || (p.op == CollectiveOp::all_reduce && s.reducing_block);
  }
  engine.step(
      s, reduces,
      reduces && !engine.rules_.next_message_reduction ? engine.reduction_time(last_reduced_bytes()) : s.reduction);
}

void Exchange::received() {
  ++s.received;
  prepare_packet();
}

void Exchange::step_done() {
  if (s.computed) {
    s.computed = false;
    return;
  }
  if (s.gather && engine.lockstep_->compute_if_alone(s)) return;
  ++s.idle;
  const Phase& p = engine.phase(s);
  if (p.algorithm.kind == Algorithm::direct && p.op == CollectiveOp::all_reduce && s.to_send <= s.n - 1) {
    if (s.received < s.n - 1) return;  // the second half needs all of the first
    for (std::uint32_t i = 0; i < s.window; ++i) post_message();
  } else {
    post_message();
  }
  finish_if_done();
}

void Exchange::finish_if_done() {
  if (s.to_send == 0 && s.idle == s.window) engine.phase_finished(s);
}

void Exchange::post_message() {
  if (s.packets == 0 || s.to_send == 0 || s.idle == 0) return;
  const bool direct = engine.phase(s).algorithm.kind == Algorithm::direct;
  const std::uint32_t distance = direct ? s.sent % (s.n - 1) + 1 : 1;
  const std::uint64_t out = send_bytes(), in = receive_bytes();
  const std::uint32_t to = s.ahead(distance), from = s.behind(distance);
  --s.to_send;
  --s.packets;
  --s.idle;
  ++s.sent;
  if (s.in_round++ == s.n - s.round) ++s.round, s.in_round = 1;
  engine.send(s, to, out);
  engine.receive(s, from, in);
}

std::uint64_t Exchange::last_reduced_bytes() const {
  const bool direct = engine.phase(s).algorithm.kind == Algorithm::direct;
  return block_bytes(direct ? s.position : s.behind(s.received + 1));
}

std::uint64_t Exchange::block_bytes(std::uint32_t block) const {
  const Phase& p = engine.phase(s);
  if (p.op != CollectiveOp::all_gather) return Blocks{s.data, s.n}.size(block);
  return p.restores < 0 ? s.data : Blocks{engine.phase_result(s), s.n}.size(block);
}

// Message number `sent` (from 0). Ring: reduce-scatter ends with one's own block, all-gather begins with it; all-to-all
// goes in rounds, in round r one forwards what came in round r - 1 and is not one's own.
std::uint64_t Exchange::send_bytes() const {
  if (engine.rules_.astra) return s.message;
  const Phase& p = engine.phase(s);
  const std::uint32_t others = s.n - 1, k = s.sent;
  if (p.algorithm.kind == Algorithm::direct) {
    const bool gathering = p.op == CollectiveOp::all_gather || k >= others;
    return block_bytes(gathering ? s.position : s.ahead(k % others + 1));
  }
  if (p.op == CollectiveOp::all_to_all) return block_bytes(s.ahead(s.in_round));
  if (p.op == CollectiveOp::all_gather) return block_bytes(s.behind(k));
  return block_bytes(k < others ? s.behind(k + 1) : s.behind(k - others));
}

std::uint64_t Exchange::receive_bytes() const {
  if (engine.rules_.astra) return s.message;
  const Phase& p = engine.phase(s);
  const std::uint32_t others = s.n - 1, k = s.sent;
  if (p.algorithm.kind == Algorithm::direct) {
    const bool gathering = p.op == CollectiveOp::all_gather || k >= others;
    return block_bytes(gathering ? s.behind(k % others + 1) : s.position);
  }
  if (p.op == CollectiveOp::all_to_all) return block_bytes(s.ahead(s.in_round - 1));
  if (p.op == CollectiveOp::all_gather) return block_bytes(s.behind(k + 1));
  return block_bytes(k < others ? s.behind(k + 2) : s.behind(k - others + 1));
}

}  // namespace tutti::workload
