#include "memory/gemm.h"

#include <vector>

#include <gtest/gtest.h>

namespace tutti::memory {
namespace {

TEST(Gemm, gives_the_exact_product_of_small_integers_in_every_type) {
  constexpr std::int64_t m = 3, n = 5, k = 7;
  const auto x = [](std::int64_t i, std::int64_t l) { return static_cast<double>((i * 3 + l) % 5 - 2); };
  const auto y = [](std::int64_t l, std::int64_t j) { return static_cast<double>((l * 2 + j) % 3 - 1); };
  for (const DType t : {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32}) {
    std::vector<std::byte> a(m * k * 4), b(k * n * 4), c(m * n * 4);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t l = 0; l < k; ++l) store_double(t, a.data(), i * k + l, x(i, l));
    for (std::int64_t l = 0; l < k; ++l)
      for (std::int64_t j = 0; j < n; ++j) store_double(t, b.data(), l * n + j, y(l, j));
    for (const bool accumulate : {false, true}) {
      gemm(t, a.data(), b.data(), c.data(), m, n, k, accumulate);
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::int64_t l = 0; l < k; ++l) sum += x(i, l) * y(l, j);
          ASSERT_EQ(load_as_double(t, c.data(), i * n + j), accumulate ? 2 * sum : sum);
        }
    }
  }
}

TEST(Gemm, sums_in_f32_and_rounds_to_f16_once) {
  std::vector<F16> a(4, F16(1.0f)), b = {F16(2048.0f), F16(1.0f), F16(1.0f), F16(1.0f)}, c(1);
  gemm(DType::f16, a.data(), b.data(), c.data(), 1, 1, 4, false);
  EXPECT_EQ(static_cast<float>(c[0]), 2052.0f);  // 2051 is half-way: even; rounding each step would give 2048
}

}  // namespace
}  // namespace tutti::memory
