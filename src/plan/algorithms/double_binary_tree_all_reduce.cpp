// Two binary trees with half of the buffer each. A rank that has children in one is a leaf in the other, so that both
// directions of every rank are busy.
// Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", ParCo 2009.
#include "plan/algorithm.h"
#include "plan/tree.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters& p) {
  Schedule s;
  s.streams = 4;
  s.steps = [ranks = c.ranks, count = c.count, chunks = p["chunks"]](int rank, int stream) {
    const int tree = stream / 2;
    const TreeNode node = in_order_tree(ranks, rank, tree);
    const Slice half = slice(Buffer::output, part(count, 2, tree));
    return stream % 2 == 0 ? tree_up(node, half, chunks, tree) : tree_down(node, half, chunks, tree);
  };
  return s;
}

}  // namespace

Algorithm double_binary_tree_all_reduce_algorithm() {
  return {"double_binary_tree_all_reduce",
          CollectiveKind::all_reduce,
          "reduce and broadcast along two binary trees, half each, pipelined",
          "Sanders, Speck and Traeff, ParCo 2009",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other in a tree"}},
          make};
}

}  // namespace tutti::plan
