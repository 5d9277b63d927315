#include "memory/exact.h"

#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/error.h"

namespace tutti::memory {
namespace {

template <class Bits, class Load>
void add(const void* elements, std::span<double> sum, std::span<double> magnitude, Load load) {
  const auto* from = static_cast<const char*>(elements);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    Bits bits;
    std::memcpy(&bits, from + i * sizeof(Bits), sizeof(Bits));
    const double x = load(bits);
    sum[i] += x;
    magnitude[i] += std::fabs(x);
  }
}

#if defined(__x86_64__)
/// The first elements / 8 * 8 elements with the processor's own conversions, which are exact. @return how many.
__attribute__((target("avx,f16c"))) std::size_t add_f16(const void* elements, std::span<double> sum,
                                                        std::span<double> magnitude) {
  if (!__builtin_cpu_supports("avx") || !__builtin_cpu_supports("f16c")) return 0;
  const auto* from = static_cast<const char*>(elements);
  const __m256d sign = _mm256_set1_pd(-0.0);
  const std::size_t whole = sum.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 2 * i)));
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(x)), high = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
    double *const to = sum.data() + i, *const size = magnitude.data() + i;
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), low));
    _mm256_storeu_pd(to + 4, _mm256_add_pd(_mm256_loadu_pd(to + 4), high));
    _mm256_storeu_pd(size, _mm256_add_pd(_mm256_loadu_pd(size), _mm256_andnot_pd(sign, low)));
    _mm256_storeu_pd(size + 4, _mm256_add_pd(_mm256_loadu_pd(size + 4), _mm256_andnot_pd(sign, high)));
  }
  return whole;
}
#else
std::size_t add_f16(const void*, std::span<double>, std::span<double>) { return 0; }
#endif

}  // namespace

void add_exactly(DType t, const void* elements, std::span<double> sum, std::span<double> magnitude) {
  CHECK(sum.size() == magnitude.size(), "sums and magnitudes of one length");
  const auto widen = [](auto v) { return static_cast<double>(v); };
  switch (t) {
    case DType::f16: {
      const std::size_t done = add_f16(elements, sum, magnitude);
      return add<std::uint16_t>(static_cast<const char*>(elements) + 2 * done, sum.subspan(done),
                                magnitude.subspan(done), [](std::uint16_t h) { return double{f16_to_f32(h)}; });
    }
    case DType::bf16:
      return add<std::uint16_t>(elements, sum, magnitude, [](std::uint16_t b) { return double{bf16_to_f32(b)}; });
    case DType::f32:
      return add<float>(elements, sum, magnitude, widen);
    case DType::i8:
      return add<std::int8_t>(elements, sum, magnitude, widen);
    case DType::i32:
      return add<std::int32_t>(elements, sum, magnitude, widen);
  }
}

double unit_roundoff(DType t) {
  switch (t) {
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::f32:
      return 0x1p-24;
    case DType::i8:
    case DType::i32:
      return 0;
  }
  return 0;
}

}  // namespace tutti::memory
