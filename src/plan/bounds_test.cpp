#include "plan/bounds.h"

#include <gtest/gtest.h>

namespace tutti::plan {
namespace {

TEST(Bounds, all_reduce_meets_hand_cases) {
  const auto at = [](int ranks) {
    return all_reduce_bounds(ranks, Bytes(4096), Time::ns(10), Bandwidth::gb_per_s(128));
  };
  EXPECT_EQ(at(1).latency, Time());
  EXPECT_EQ(at(1).bandwidth, Time());
  EXPECT_EQ(at(2).latency, Time::ns(10));
  EXPECT_EQ(at(2).bandwidth, Time::ns(32));  // two ranks exchange their whole buffers
  EXPECT_EQ(at(4).latency, Time::ns(20));
  EXPECT_EQ(at(4).bandwidth, Time::ns(48));  // a ring of 4: six steps of 1 KiB, 8 ns each
  EXPECT_EQ(at(5).latency, Time::ns(30));
}

}  // namespace
}  // namespace tutti::plan
