#include "memory/dtype.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tutti::memory {
namespace {

/// Value of a small float by its definition: sign, exponent bits, fraction bits.
double by_definition(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto e = static_cast<int>((bits >> fraction_bits) & ((1u << exponent_bits) - 1u));
  const double f = static_cast<double>(bits & ((1u << fraction_bits) - 1u)) / static_cast<double>(1u << fraction_bits);
  const double sign = (bits >> (exponent_bits + fraction_bits)) & 1u ? -1.0 : 1.0;
  if (e == (1 << exponent_bits) - 1) return f == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return e == 0 ? sign * std::ldexp(f, 1 - bias) : sign * std::ldexp(1.0 + f, e - bias);
}

TEST(DType, every_f16_has_the_value_of_its_definition_and_survives_the_round_trip) {
  for (std::uint32_t h = 0; h < 65536; ++h) {
    const float f = f16_to_f32(static_cast<std::uint16_t>(h));
    const double want = by_definition(h, 5, 10);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(f)) << h;
      EXPECT_EQ(f32_to_f16(f), h | 0x200u) << h;
    } else {
      EXPECT_EQ(static_cast<double>(f), want) << h;
      EXPECT_EQ(std::signbit(f), (h >> 15) != 0) << h;
      EXPECT_EQ(f32_to_f16(f), h) << h;
    }
  }
}

TEST(DType, every_bf16_has_the_value_of_its_definition_and_survives_the_round_trip) {
  for (std::uint32_t b = 0; b < 65536; ++b) {
    const float f = bf16_to_f32(static_cast<std::uint16_t>(b));
    const double want = by_definition(b, 8, 7);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(f)) << b;
      EXPECT_EQ(f32_to_bf16(f), b | 0x40u) << b;
    } else {
      EXPECT_EQ(static_cast<double>(f), want) << b;
      EXPECT_EQ(f32_to_bf16(f), b) << b;
    }
  }
}

/// Between each two neighbours: half-way goes to the even one, a hair less or more to the nearer one.
template <class To, class From>
void ties(To to, From from, std::uint32_t largest_finite) {
  for (std::uint32_t low = 0; low < largest_finite; ++low) {
    const auto lo = static_cast<std::uint16_t>(low), hi = static_cast<std::uint16_t>(low + 1);
    const double a = static_cast<double>(from(lo)), b = static_cast<double>(from(hi));
    const auto middle = static_cast<float>((a + b) / 2);
    if (static_cast<double>(middle) != (a + b) / 2)
      continue;  // the half is no f32: only for the lowest bf16 subnormals
    ASSERT_EQ(to(middle), low % 2 ? hi : lo) << low;
    ASSERT_EQ(to(std::nextafterf(middle, 0.0f)), lo) << low;
    ASSERT_EQ(to(std::nextafterf(middle, std::numeric_limits<float>::infinity())), hi) << low;
    ASSERT_EQ(to(-middle), (low % 2 ? hi : lo) | 0x8000u) << low;
  }
}

TEST(DType, f16_rounds_to_nearest_even_between_every_two_neighbours) { ties(f32_to_f16, f16_to_f32, 0x7bff); }
TEST(DType, bf16_rounds_to_nearest_even_between_every_two_neighbours) { ties(f32_to_bf16, bf16_to_f32, 0x7f7f); }

TEST(DType, too_large_becomes_infinity_only_from_half_way_on) {
  EXPECT_EQ(f32_to_f16(65504.0f), 0x7bffu);
  EXPECT_EQ(f32_to_f16(std::nextafterf(65520.0f, 0.0f)), 0x7bffu);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00u);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::max()), 0x7c00u);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80u);
  EXPECT_EQ(f32_to_f16(-std::numeric_limits<float>::infinity()), 0xfc00u);
}

TEST(DType, half_of_the_smallest_subnormal_rounds_to_zero_and_more_rounds_up) {
  const float tiny = std::ldexp(1.0f, -25);
  EXPECT_EQ(f32_to_f16(tiny), 0u);
  EXPECT_EQ(f32_to_f16(std::nextafterf(tiny, 1.0f)), 1u);
  EXPECT_EQ(f32_to_f16(-std::ldexp(1.0f, -60)), 0x8000u);
}

TEST(DType, ulp_distance_counts_representable_values) {
  const std::uint16_t a[] = {0x3c00, 0x0000, 0x0001, 0x7c00, 0x7e00}, b[] = {0x3c03, 0x8000, 0x8001, 0x7bff, 0x3c00};
  EXPECT_EQ(ulp_distance(DType::f16, a, b, 0), 3);
  EXPECT_EQ(ulp_distance(DType::f16, a, b, 1), 0);
  EXPECT_EQ(ulp_distance(DType::f16, a, b, 2), 2);
  EXPECT_EQ(ulp_distance(DType::f16, a, b, 3), 1);
  EXPECT_EQ(ulp_distance(DType::f16, a, b, 4), INT64_MAX);
  EXPECT_EQ(ulp_distance(DType::f16, a, a, 4), 0);
  const std::int8_t c[] = {-128}, d[] = {127};
  EXPECT_EQ(ulp_distance(DType::i8, c, d, 0), 255);
}

TEST(DType, values_store_and_load_and_integers_wrap) {
  std::uint32_t cell = 0;
  for (const DType t : {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32}) {
    store_double(t, &cell, 0, -3);
    EXPECT_EQ(load_as_double(t, &cell, 0), -3) << to_string(t);
    DType back{};
    EXPECT_TRUE(parse(to_string(t), back));
    EXPECT_EQ(back, t);
  }
  store_double(DType::i8, &cell, 0, 200);
  EXPECT_EQ(load_as_double(DType::i8, &cell, 0), 200 - 256);
  DType none{};
  EXPECT_FALSE(parse("f64", none));
}

}  // namespace
}  // namespace tutti::memory
