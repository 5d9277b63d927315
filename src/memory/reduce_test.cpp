#include "memory/reduce.h"

#include <cmath>
#include <ios>
#include <vector>

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

void check(ReduceOp op, std::uint16_t x, std::uint16_t y, std::uint16_t result) {
  const float a = f16_to_f32(x), b = f16_to_f32(y);
  const std::uint16_t expected = f32_to_f16(op == ReduceOp::sum ? a + b : a * b);
  const bool nan = (expected & 0x7fffu) > 0x7c00u;
  ASSERT_TRUE(nan ? (result & 0x7fffu) > 0x7c00u : result == expected) << std::hex << x << ' ' << y;
}

TEST(Reduce, loops_agree_with_the_scalar_conversions_bit_for_bit) {
  constexpr std::int64_t all = 65536;
  std::vector<std::uint16_t> every(all), zero(all, 0x8000), factor(all);  // x + -0 is x, for every x
  for (std::uint32_t i = 0; i < all; ++i) every[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint16_t> out = every;
  reduce(ReduceOp::sum, DType::f16, out.data(), zero.data(), all);
  for (std::uint32_t i = 0; i < all; ++i) ASSERT_EQ(out[i], f32_to_f16(f16_to_f32(every[i]))) << std::hex << i;
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod})
    for (std::uint32_t step = 1; step < 64; ++step) {
      for (std::uint32_t i = 0; i < all; ++i) factor[i] = static_cast<std::uint16_t>(i * 40503u * step);
      out = every;
      const std::int64_t odd = static_cast<std::int64_t>(step);  // sizes that no vector width divides
      reduce(op, DType::f16, out.data(), factor.data(), odd);
      reduce(op, DType::f16, out.data() + odd, factor.data() + odd, all - odd);
      for (std::uint32_t i = 0; i < all; ++i) check(op, every[i], factor[i], out[i]);
    }
}

}  // namespace
}  // namespace tutti::memory
