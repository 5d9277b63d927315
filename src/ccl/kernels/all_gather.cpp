// Ring all-gather: each rank passes on the block that it took last, P - 1 times.
#include "ccl/kernels/ring_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  co_await ring_all_gather(tl, a, {Port::E, Port::W, a.world_size}, {0, a.elements}, a.rank);
}

}  // namespace

Kernel all_gather_kernel() { return {"all_gather", "ring_1d", run, "all_gather"}; }

}  // namespace tutti::ccl
