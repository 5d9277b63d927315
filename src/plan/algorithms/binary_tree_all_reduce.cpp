// Reduce along a binary tree to rank 0 and broadcast back, in chunks that follow each other through the tree.
// Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and experience", CCPE
// 2007.
#include "plan/algorithm.h"
#include "plan/tree.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters& p) {
  Schedule s;
  s.streams = 2;
  s.steps = [ranks = c.ranks, count = c.count, chunks = p["chunks"]](int rank, int stream) {
    const TreeNode node = heap_tree(ranks, rank);
    const Slice all{Buffer::output, 0, count};
    return stream == 0 ? tree_up(node, all, chunks, 0) : tree_down(node, all, chunks, 0);
  };
  return s;
}

}  // namespace

Algorithm binary_tree_all_reduce_algorithm() {
  return {"binary_tree_all_reduce",
          CollectiveKind::all_reduce,
          "reduce and broadcast along one binary tree, pipelined",
          "Chan, Heimlich, Purkayastha and van de Geijn, CCPE 2007",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other"}},
          make};
}

}  // namespace tutti::plan
