// Ring all-reduce in both directions at once: the first half of the tensor travels east, the second west, so that both
// directions of every link work.
#include "ccl/kernels/ring_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  const Piece east = part({0, a.elements}, 2, 0), west = part({0, a.elements}, 2, 1);
  const int steps = 2 * (a.world_size - 1), backwards = a.world_size - 1 - a.rank;
  RingWalk eastward(tl, a, {Port::E, Port::W, a.world_size}, east, a.rank, steps, a.world_size - 1);
  RingWalk westward(tl, a, {Port::W, Port::E, a.world_size}, west, backwards, steps, a.world_size - 1);
  while (!eastward.done() || !westward.done()) {
    if (!eastward.done()) co_await eastward.advance();
    if (!westward.done()) co_await westward.advance();
  }
}

}  // namespace

Kernel ring_allreduce_bidir_kernel() { return {"ring_allreduce_bidir", "ring_1d", run, "all_reduce"}; }

}  // namespace tutti::ccl
