// Ring all-reduce: reduce-scatter, then all-gather, 2 (P - 1) steps of one block each (Patarasuk and Yuan 2009).
// Only E sends and only W receives, so it runs on ring_1d and ring_1d_unidir.
#include "ccl/kernels/ring_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  co_await ring_all_reduce(tl, a, {Port::E, Port::W, a.world_size}, {0, a.elements}, a.rank);
}

}  // namespace

Kernel ring_allreduce_kernel() { return {"ring_allreduce", "ring_1d", run, "all_reduce"}; }

}  // namespace tutti::ccl
