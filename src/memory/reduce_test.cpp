#include "memory/reduce.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tutti::memory {
namespace {

double one(ReduceOp op, DType t, double a, double b) {
  std::uint32_t x = 0, y = 0;
  store_double(t, &x, 0, a);
  store_double(t, &y, 0, b);
  reduce(op, t, &x, &y, 1);
  return load_as_double(t, &x, 0);
}

TEST(Reduce, every_operation_on_every_type_gives_exact_small_results) {
  for (const DType t : {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32}) {
    EXPECT_EQ(one(ReduceOp::sum, t, 5, -8), -3);
    EXPECT_EQ(one(ReduceOp::prod, t, 5, -8), -40);
    EXPECT_EQ(one(ReduceOp::max, t, 5, -8), 5);
    EXPECT_EQ(one(ReduceOp::min, t, 5, -8), -8);
  }
}

TEST(Reduce, f16_rounds_once_to_even_and_overflows_to_infinity) {
  EXPECT_EQ(one(ReduceOp::sum, DType::f16, 2048, 1), 2048);  // 2049 is half-way, 2048 is even
  EXPECT_EQ(one(ReduceOp::sum, DType::f16, 2048, 3), 2052);  // 2051 is half-way between 2050 and 2052
  EXPECT_TRUE(std::isinf(one(ReduceOp::sum, DType::f16, 65504, 65504)));
}

TEST(Reduce, integers_wrap) {
  EXPECT_EQ(one(ReduceOp::sum, DType::i8, 127, 1), -128);
  EXPECT_EQ(one(ReduceOp::sum, DType::i32, 2147483647.0, 1), -2147483648.0);
  EXPECT_EQ(one(ReduceOp::prod, DType::i32, -2147483648.0, -2147483648.0), 0);
}

TEST(Reduce, a_nan_stays_a_nan) {
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min, ReduceOp::prod}) {
    EXPECT_TRUE(std::isnan(one(op, DType::f32, std::nan(""), 1)));
    EXPECT_TRUE(std::isnan(one(op, DType::f32, 1, std::nan(""))));
  }
}

}  // namespace
}  // namespace tutti::memory
