#include "plan/tree.h"

#include <bit>

namespace tutti::plan {
namespace {

/// The multiple of the highest power of two in [low, high].
int top(int low, int high) {
  const auto differ = static_cast<unsigned>(low - 1) ^ static_cast<unsigned>(high);
  return high & ~static_cast<int>(std::bit_floor(differ) - 1);
}

Slice chunk(Slice data, std::int64_t chunks, std::int64_t i) {
  return slice(data.buffer, part(Interval{data.begin, data.count}, chunks, i));
}

}  // namespace

TreeNode heap_tree(int ranks, int rank) {
  TreeNode n;
  if (rank > 0) n.parent = (rank - 1) / 2;
  for (int i = 0; i < 2; ++i)
    if (2 * rank + 1 + i < ranks) n.children[static_cast<std::size_t>(i)] = 2 * rank + 1 + i;
  return n;
}

TreeNode in_order_tree(int ranks, int rank, int shift) {
  const int label = (rank - shift + ranks) % ranks + 1;
  const auto back = [&](int l) { return (l - 1 + shift) % ranks; };
  TreeNode n;
  int low = 1, high = ranks;
  for (int at = top(low, high); at != label; at = top(low, high)) {
    n.parent = back(at);
    (label < at ? high : low) = label < at ? at - 1 : at + 1;
  }
  if (low < label) n.children[0] = back(top(low, label - 1));
  if (label < high) n.children[1] = back(top(label + 1, high));
  return n;
}

Generator<Step> tree_up(TreeNode node, Slice data, std::int64_t chunks, int channel) {
  for (std::int64_t i = 0; i < chunks; ++i) {
    const Slice piece = chunk(data, chunks, i);
    for (int child : node.children)
      if (child >= 0) co_yield receive_reduce(child, piece, channel);
    if (node.parent >= 0) {
      co_yield send(node.parent, piece, channel);
    } else {
      for (int child : node.children)
        if (child >= 0) co_yield send(child, piece, channel);
    }
  }
}

Generator<Step> tree_down(TreeNode node, Slice data, std::int64_t chunks, int channel) {
  for (std::int64_t i = 0; node.parent >= 0 && i < chunks; ++i) {
    const Slice piece = chunk(data, chunks, i);
    co_yield receive(node.parent, piece, channel);
    for (int child : node.children)
      if (child >= 0) co_yield send(child, piece, channel);
  }
}

}  // namespace tutti::plan
