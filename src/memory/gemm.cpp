#include "memory/gemm.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace tutti::memory {
namespace {

template <class Sum, class Bits, class Load, class Store>
void multiply(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k, bool accumulate,
              Load load, Store store) {
  const auto widen = [load](const void* from, std::int64_t count) {
    std::vector<Sum> out(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i) {
      Bits v;
      std::memcpy(&v, static_cast<const char*>(from) + i * sizeof(Bits), sizeof(Bits));
      out[i] = load(v);
    }
    return out;
  };
  const std::vector<Sum> x = widen(a, m * k), y = widen(b, k * n);
  std::vector<Sum> sum = accumulate ? widen(c, m * n) : std::vector<Sum>(static_cast<std::size_t>(m * n));
  // Row by row of b: the inner loop runs over independent sums, so its width never changes an order of addition.
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t l = 0; l < k; ++l) {
      const Sum factor = x[static_cast<std::size_t>(i * k + l)];
      const Sum* row = y.data() + l * n;
      Sum* out = sum.data() + i * n;
      for (std::int64_t j = 0; j < n; ++j) out[j] += factor * row[j];
    }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Bits v = store(sum[i]);
    std::memcpy(static_cast<char*>(c) + i * sizeof(Bits), &v, sizeof(Bits));
  }
}

}  // namespace

void gemm(DType t, const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k,
          bool accumulate) {
  const auto same = [](float f) { return f; };
  const auto bits = [](auto v) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v)); };
  switch (t) {
    case DType::f16:
      return multiply<float, std::uint16_t>(a, b, c, m, n, k, accumulate, f16_to_f32, f32_to_f16);
    case DType::bf16:
      return multiply<float, std::uint16_t>(a, b, c, m, n, k, accumulate, bf16_to_f32, f32_to_bf16);
    case DType::f32:
      return multiply<float, float>(a, b, c, m, n, k, accumulate, same, same);
    case DType::i8:
      return multiply<std::uint32_t, std::int8_t>(a, b, c, m, n, k, accumulate, bits,
                                                  [](std::uint32_t v) { return static_cast<std::int8_t>(v); });
    case DType::i32:
      return multiply<std::uint32_t, std::int32_t>(a, b, c, m, n, k, accumulate, bits,
                                                   [](std::uint32_t v) { return static_cast<std::int32_t>(v); });
  }
}

}  // namespace tutti::memory
