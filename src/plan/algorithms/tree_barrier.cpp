// Tree barrier: arrivals go up a binary tree, the release comes down.
// Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", TOCS 1991.
#include "plan/algorithm.h"
#include "plan/tree.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(TreeNode node) {
  for (int child : node.children)
    if (child >= 0) co_yield await_signal(child);
  if (node.parent >= 0) {
    co_yield signal(node.parent);
    co_yield await_signal(node.parent);
  }
  for (int child : node.children)
    if (child >= 0) co_yield signal(child);
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [ranks = c.ranks](int rank, int) { return steps(heap_tree(ranks, rank)); };
  return s;
}

}  // namespace

Algorithm tree_barrier_algorithm() {
  return {"tree_barrier",
          CollectiveKind::barrier,
          "signals up a binary tree and back",
          "Mellor-Crummey and Scott, TOCS 1991",
          {},
          make};
}

}  // namespace tutti::plan
