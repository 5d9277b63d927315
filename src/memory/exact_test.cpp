#include "memory/exact.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace tutti::memory {
namespace {

TEST(Exact, adds_every_finite_f16_as_its_own_value) {
  std::vector<std::uint16_t> every(65536 - 5);  // not a multiple of any vector's width
  std::iota(every.begin(), every.end(), std::uint16_t{0});
  std::vector<double> sum(every.size(), 0.5), magnitude(every.size(), 0.25);
  add_exactly(DType::f16, every.data(), sum, magnitude);
  for (std::size_t i = 0; i < every.size(); ++i) {
    const double x =
        load_as_double(DType::f16, reinterpret_cast<const std::byte*>(every.data()), static_cast<std::int64_t>(i));
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(sum[i], 0.5 + x) << i;
    ASSERT_EQ(magnitude[i], 0.25 + std::fabs(x)) << i;
  }
}

TEST(Exact, keeps_signs_apart_from_magnitudes) {
  const std::vector<std::int32_t> up = {5, -7, 0}, down = {-5, -7, 1};
  std::vector<double> sum(3), magnitude(3);
  add_exactly(DType::i32, up.data(), sum, magnitude);
  add_exactly(DType::i32, down.data(), sum, magnitude);
  EXPECT_EQ(sum, (std::vector<double>{0, -14, 1}));
  EXPECT_EQ(magnitude, (std::vector<double>{10, 14, 1}));
}

}  // namespace
}  // namespace tutti::memory
