// Ring reduce-scatter: a block gathers one contribution at each rank that it passes and ends where it is wanted.
#include "ccl/kernels/ring_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  co_await ring_reduce_scatter(tl, a, {Port::E, Port::W, a.world_size}, {0, a.elements}, a.rank);
}

}  // namespace

Kernel reduce_scatter_kernel() { return {"reduce_scatter", "ring_1d", run, "reduce_scatter"}; }

}  // namespace tutti::ccl
