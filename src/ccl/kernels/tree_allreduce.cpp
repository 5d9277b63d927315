// Tree all-reduce: partial sums rise through a binary tree to rank 0, the result comes down the same way; messages of a
// slot follow each other, so that all levels work at once.
#include "ccl/kernels/tree_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  co_await tree_all_reduce(tl, a, tree_parent(tl), tree_children(tl), {0, a.elements});
}

}  // namespace

Kernel tree_allreduce_kernel() { return {"tree_allreduce", "tree_binary", run, "all_reduce"}; }

}  // namespace tutti::ccl
