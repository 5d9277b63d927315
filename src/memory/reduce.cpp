#include "memory/reduce.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tutti::memory {
namespace {

float apply(ReduceOp op, float a, float b) {
  switch (op) {
    case ReduceOp::sum:
      return a + b;
    case ReduceOp::prod:
      return a * b;
    case ReduceOp::max:
      return std::isnan(a) || a > b ? a : b;
    case ReduceOp::min:
      return std::isnan(a) || a < b ? a : b;
  }
  return a;
}

std::int64_t apply(ReduceOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case ReduceOp::sum:
      return a + b;
    case ReduceOp::prod:
      return a * b;
    case ReduceOp::max:
      return a > b ? a : b;
    case ReduceOp::min:
      return a < b ? a : b;
  }
  return a;
}

// Conversions without branches, so that compilers turn the loops below into vectors on any target. They agree with
// those of dtype.h bit for bit (reduce_test.cpp tries every f16 and the edges of f32).

float widen_f16(std::uint16_t h) {
  const std::uint32_t sign = (h & 0x8000u) << 16;
  const std::uint32_t magnitude = (h & 0x7fffu) << 13;
  const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const std::uint32_t special = magnitude | 0x7f800000u | (magnitude > 0x0f800000u ? 0x400000u : 0u);
  return std::bit_cast<float>(sign | (magnitude >= 0x0f800000u ? special : scaled));
}

std::uint16_t narrow_f16(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  // Adding 0.5 leaves a multiple of 2^-24, the smallest subnormal, in the fraction: the addition rounds to even.
  const float small = std::bit_cast<float>(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(small) - 0x3f000000u;
  const std::uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x1ffu);
  std::uint32_t out = magnitude < 0x38800000u ? subnormal : normal;
  out = magnitude >= 0x477ff000u ? 0x7c00u : out;
  out = magnitude > 0x7f800000u ? nan : out;
  return static_cast<std::uint16_t>(sign | out);
}

#if defined(__x86_64__)
/// Sums the first elements / 8 * 8 elements with the processor's own conversions, which round as ours do.
__attribute__((target("avx,f16c"))) std::int64_t sum_f16(char* a, const char* b, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements / 8; ++i) {
    const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + 16 * i)));
    const __m256 y = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + 16 * i)));
    const __m128i sum = _mm256_cvtps_ph(_mm256_add_ps(x, y), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(a + 16 * i), sum);
  }
  return elements / 8 * 8;
}
bool converts_f16() {
  static const bool yes = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return yes;
}
#else
std::int64_t sum_f16(char*, const char*, std::int64_t) { return 0; }
bool converts_f16() { return false; }
#endif

template <class Bits, class Load, class Store, class Apply>
void each(void* accumulator, const void* operand, std::int64_t elements, Load load, Store store, Apply apply_to) {
  auto* a = static_cast<char*>(accumulator);
  const auto* b = static_cast<const char*>(operand);
  constexpr std::int64_t block = 256;  // through local arrays: aligned, and known not to overlap
  for (std::int64_t done = 0; done < elements; done += block) {
    const auto n = static_cast<std::size_t>(std::min(block, elements - done));
    Bits x[block], y[block];
    std::memcpy(x, a + done * static_cast<std::int64_t>(sizeof(Bits)), n * sizeof(Bits));
    std::memcpy(y, b + done * static_cast<std::int64_t>(sizeof(Bits)), n * sizeof(Bits));
    for (std::size_t i = 0; i < n; ++i) x[i] = store(apply_to(load(x[i]), load(y[i])));
    std::memcpy(a + done * static_cast<std::int64_t>(sizeof(Bits)), x, n * sizeof(Bits));
  }
}

template <class Bits, class Load, class Store>
void each(ReduceOp op, void* accumulator, const void* operand, std::int64_t elements, Load load, Store store) {
  if (op == ReduceOp::sum)
    each<Bits>(accumulator, operand, elements, load, store, [](auto x, auto y) { return x + y; });
  else
    each<Bits>(accumulator, operand, elements, load, store, [op](auto x, auto y) { return apply(op, x, y); });
}

}  // namespace

void reduce(ReduceOp op, DType t, void* accumulator, const void* operand, std::int64_t elements) {
  const auto same = [](float f) { return f; };
  const auto widen = [](auto v) { return static_cast<std::int64_t>(v); };
  switch (t) {
    case DType::f16:
      if (op == ReduceOp::sum && converts_f16()) {
        const std::int64_t done = sum_f16(static_cast<char*>(accumulator), static_cast<const char*>(operand), elements);
        accumulator = static_cast<char*>(accumulator) + 2 * done;
        operand = static_cast<const char*>(operand) + 2 * done;
        elements -= done;
      }
      return each<std::uint16_t>(
          op, accumulator, operand, elements, [](std::uint16_t h) { return widen_f16(h); },
          [](float f) { return narrow_f16(f); });
    case DType::bf16:
      return each<std::uint16_t>(
          op, accumulator, operand, elements, [](std::uint16_t b) { return bf16_to_f32(b); },
          [](float f) { return f32_to_bf16(f); });
    case DType::f32:
      return each<float>(op, accumulator, operand, elements, same, same);
    case DType::i8:
      return each<std::int8_t>(op, accumulator, operand, elements, widen,
                               [](std::int64_t v) { return static_cast<std::int8_t>(v); });
    case DType::i32:
      return each<std::int32_t>(op, accumulator, operand, elements, widen,
                                [](std::int64_t v) { return static_cast<std::int32_t>(v); });
  }
}

}  // namespace tutti::memory
