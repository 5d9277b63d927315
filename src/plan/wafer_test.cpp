#include "plan/wafer.h"

#include <functional>

#include <gtest/gtest.h>

namespace tutti::plan {
namespace {

constexpr int ramp = 2;
double cycles(const ReduceTree& t, std::int64_t words) {
  return wafer_cycles(shape(t), static_cast<int>(t.parent.size()), words, ramp);
}

/// Values of the model at P = 512 and 64, spec 4.4; the two-phase form takes the root of 512 as 22, in 22 groups.
TEST(wafer, the_model_gives_the_published_cycles) {
  EXPECT_NEAR(cycles(wafer_star(512), 1), 772, 1);
  EXPECT_NEAR(cycles(wafer_chain(512), 1), 3067, 1);
  EXPECT_NEAR(cycles(wafer_tree(512), 1), 561, 1);
  EXPECT_NEAR(cycles(wafer_two_phase(512), 1), 723, 0.02 * 723);
  EXPECT_NEAR(cycles(wafer_tree(512), 16), 628, 1);
  EXPECT_NEAR(cycles(wafer_two_phase(512), 256), 1212, 0.02 * 1212);
  EXPECT_NEAR(cycles(wafer_tree(512), 256), 2349, 1);
  EXPECT_NEAR(cycles(wafer_chain(512), 256), 3322, 1);
  EXPECT_NEAR(cycles(wafer_two_phase(512), 1024), 2685, 0.02 * 2685);
  EXPECT_NEAR(cycles(wafer_chain(512), 8192), 11258, 1);
  EXPECT_NEAR(cycles(wafer_two_phase(512), 8192), 16594, 0.02 * 16594);
  EXPECT_NEAR(cycles(wafer_two_phase(64), 256), 588, 1);
  EXPECT_NEAR(cycles(wafer_chain(64), 256), 634, 1);
}

TEST(wafer, the_ring_never_wins_at_512_up_to_8192_words) {
  for (std::int64_t words = 1; words <= 8192; words *= 2) {
    double least = cycles(wafer_chain(512), words);
    for (const ReduceTree& t : {wafer_star(512), wafer_tree(512), wafer_two_phase(512)})
      least = std::min(least, cycles(t, words));
    EXPECT_LT(least + wafer_broadcast_cycles(512, words, ramp), wafer_ring_cycles(512, words, ramp));
  }
  EXPECT_NEAR(wafer_ring_cycles(512, 1, ramp), 7154, 1);
  EXPECT_NEAR(wafer_ring_cycles(512, 8192, ramp), 23504, 1);
}

TEST(wafer, the_generated_tree_is_never_dearer_than_the_hand_written_ones) {
  for (int pes : {1, 2, 3, 7, 16, 33, 64})
    for (std::int64_t words : {1, 16, 100, 1000}) {
      const double ours = cycles(wafer_auto(pes, words, ramp), words);
      for (const ReduceTree& t : {wafer_star(pes), wafer_chain(pes), wafer_tree(pes), wafer_two_phase(pes)})
        EXPECT_LE(ours, cycles(t, words)) << pes << " PEs " << words << " words";
    }
}

/// All trees of five PEs whose subtrees are runs, by hand-written enumeration.
void each_tree(int root, int pes, const std::function<void(std::vector<int>&)>& use, std::vector<int>& parent) {
  if (pes == 1) return use(parent);
  for (int i = 1; i < pes; ++i) {
    parent[static_cast<std::size_t>(root + i)] = root;
    each_tree(root, i, [&](std::vector<int>&) { each_tree(root + i, pes - i, use, parent); }, parent);
  }
}

TEST(wafer, no_tree_of_seven_pes_is_cheaper_than_the_generated_one) {
  for (std::int64_t words : {1, 5, 40}) {
    double least = 1e9;
    std::vector<int> parent(7, -1);
    int trees = 0;
    each_tree(
        0, 7,
        [&](std::vector<int>& p) {
          ReduceTree t{p, std::vector<std::vector<int>>(7)};
          for (int i = 1; i < 7; ++i) t.children[static_cast<std::size_t>(p[static_cast<std::size_t>(i)])].push_back(i);
          least = std::min(least, cycles(t, words));
          ++trees;
        },
        parent);
    EXPECT_EQ(trees, 132);  // Catalan number
    EXPECT_DOUBLE_EQ(cycles(wafer_auto(7, words, ramp), words), least);
  }
}

}  // namespace
}  // namespace tutti::plan
