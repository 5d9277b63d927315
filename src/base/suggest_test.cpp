#include "base/suggest.h"

#include <gtest/gtest.h>

namespace tutti {
namespace {

const std::vector<std::string> words = {"ring_1d", "mesh_2d", "tree_binary", "none"};

TEST(Suggest, CountsEditsAndSwapsOfNeighbours) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("rign", "ring"), 1u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // optimal string alignment: no edit within a swap
}

TEST(Suggest, FindsTheNearestWord) {
  EXPECT_EQ(nearest("rign_1d", words), "ring_1d");
  EXPECT_EQ(nearest("Ring-1D", words), "ring_1d");
  EXPECT_EQ(nearest("treebinary", words), "tree_binary");
  EXPECT_EQ(nearest("completely", words), "");
  EXPECT_EQ(nearest("of", std::vector<std::string>{"on", "off"}), "off");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), words), "");
}

TEST(Suggest, MessagesNameWhatIsKnown) {
  EXPECT_EQ(unknown_name("topology", "nonne", words),
            "unknown topology 'nonne'; did you mean 'none'? known: ring_1d, mesh_2d, tree_binary, none");
  EXPECT_EQ(unknown_name("topology", "zzzzzzzz", words),
            "unknown topology 'zzzzzzzz'; known: ring_1d, mesh_2d, tree_binary, none");
  EXPECT_EQ(unknown_name("topology", "x", {}), "unknown topology 'x'; none is known");
}

}  // namespace
}  // namespace tutti
