#include "workload/collective/algorithms.h"

namespace tutti::workload {
namespace {

// Notes of steps and receives: bit 0 is the tree, the rest says what came.
enum : std::uint32_t { leaf_start = 0, from_child = 2, from_parent = 4 };

struct Place {
  std::uint32_t parent = UINT32_MAX, child[2] = {UINT32_MAX, UINT32_MAX};
};

/// In-order search tree over positions [low, high): the root is in the middle, its subtrees are built alike. Of 2^k - 1
/// positions it is the perfect tree.
Place find_in_order(std::uint32_t low, std::uint32_t high, std::uint32_t parent, std::uint32_t wanted) {
  for (;;) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (wanted == middle) {
      Place p{parent, {UINT32_MAX, UINT32_MAX}};
      if (low < middle) p.child[0] = low + (middle - low) / 2;
      if (middle + 1 < high) p.child[1] = middle + 1 + (high - middle - 1) / 2;
      return p;
    }
    parent = middle;
    (wanted < middle ? high : low) = wanted < middle ? middle : middle + 1;
  }
}

}  // namespace

void DoubleBinaryTree::build(std::uint32_t t, bool root_is_last) {
  Stream::Tree& tree = s.tree[t];
  const std::uint32_t n = s.n, root = root_is_last ? n - 1 : 0;
  const std::uint32_t low = root_is_last ? 0 : 1, high = root_is_last ? n - 1 : n, top = low + (high - low) / 2;
  tree = {};
  tree.used = true;
  if (s.position == root) {
    tree.child[0] = top;
  } else {
    const Place p = find_in_order(low, high, root, s.position);
    tree.parent = p.parent;
    tree.child[0] = p.child[0];
    tree.child[1] = p.child[1];
  }
  for (const std::uint32_t c : tree.child) tree.missing += c != UINT32_MAX;
}

std::uint64_t DoubleBinaryTree::bytes(std::uint32_t t) const {
  return engine.rules_.astra ? s.data : Blocks{s.data, 2}.size(t);
}

void DoubleBinaryTree::start() {
  s.tree[0].used = s.tree[1].used = false;
  if (engine.rules_.astra) {
    s.trees_left = 1;
    build(0, s.tree_parity == 0);
    return start_tree(0);
  }
  s.trees_left = 2;
  build(0, true);
  build(1, false);
  start_tree(0);
  start_tree(1);
}

void DoubleBinaryTree::start_tree(std::uint32_t t) {
  const Stream::Tree& tree = s.tree[t];
  if (tree.missing == 0) return engine.step(s, false, Time(), leaf_start | t);
  for (const std::uint32_t c : tree.child)
    if (c != UINT32_MAX) engine.receive(s, c, bytes(t), from_child | t, t);
}

void DoubleBinaryTree::received(std::uint32_t note) {
  const std::uint32_t t = note & 1U;
  const bool leaf = s.tree[t].child[0] == UINT32_MAX && s.tree[t].child[1] == UINT32_MAX;
  // ASTRA-sim charges an inner node a reduction for the result as well.
  const bool reduces = (note & from_child) != 0 || (engine.rules_.next_message_reduction && !leaf);
  engine.step(s, reduces, reduces ? engine.reduction_time(bytes(t)) : Time(), note);
}

void DoubleBinaryTree::step_done(std::uint32_t note) {
  const std::uint32_t t = note & 1U;
  Stream::Tree& tree = s.tree[t];
  if ((note & from_parent) != 0) return go_down(t);
  if ((note & from_child) != 0 && --tree.missing != 0) return;
  if (tree.parent == UINT32_MAX) return go_down(t);
  engine.send(s, tree.parent, bytes(t), t);
  engine.receive(s, tree.parent, bytes(t), from_parent | t, t);
}

void DoubleBinaryTree::go_down(std::uint32_t t) {
  for (const std::uint32_t c : s.tree[t].child)
    if (c != UINT32_MAX) engine.send(s, c, bytes(t), t);
  if (--s.trees_left == 0) engine.phase_finished(s);
}

}  // namespace tutti::workload
