#pragma once
#include <array>

#include "plan/phases.h"

namespace tutti::plan {

/// One rank's place in a tree; -1: none.
struct TreeNode {
  int parent = -1;
  std::array<int, 2> children = {-1, -1};
};

/// The complete binary tree with root 0 and children 2r + 1 and 2r + 2.
TreeNode heap_tree(int ranks, int rank);

/// The in-order binary tree over ranks `shift`, shift + 1, ... (round the end): every other rank is a leaf. With shifts
/// 0 and 1 no rank has children in both trees. Sanders, Speck and Traeff 2009.
TreeNode in_order_tree(int ranks, int rank, int shift);

/// Sums of `data` go up the tree in `chunks` pieces; at the root each piece turns round at once and goes down. `up` and
/// `down` are to be two streams, for all ranks but the root, whose `down` is empty.
Generator<Step> tree_up(TreeNode node, Slice data, std::int64_t chunks, int channel);
Generator<Step> tree_down(TreeNode node, Slice data, std::int64_t chunks, int channel);

}  // namespace tutti::plan
