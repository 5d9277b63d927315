#include "base/random.h"

#include <gtest/gtest.h>

namespace tutti {
namespace {

// The first numbers of the authors' reference programs.
TEST(Random, FollowsTheReferenceOfXoshiro256StarStar) {
  Random random(Random::State{1, 2, 3, 4});
  EXPECT_EQ(random.next(), 11520u);
  EXPECT_EQ(random.next(), 0u);
  EXPECT_EQ(random.next(), 1509978240u);
  EXPECT_EQ(random.next(), 1215971899390074240u);
}

TEST(Random, FollowsTheReferenceOfSplitmix64) {
  std::uint64_t state = 0;
  EXPECT_EQ(Random::splitmix64(state), 0xe220a8397b1dcdafu);
  EXPECT_EQ(Random::splitmix64(state), 0x6e789e6aa1b965f4u);
}

TEST(Random, StaysBelowItsBound) {
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.below(3), 3u);
    EXPECT_LT(random.unit(), 1.0);
  }
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, SplitsIntoDifferentSequences) {
  Random random(7);
  Random first = random.split(), second = random.split();
  EXPECT_NE(first.next(), second.next());
}

}  // namespace
}  // namespace tutti
