#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

namespace tutti::memory {

/// Element types of tensors. Floats compute in f32 and round once, to nearest even, when stored.
/// Integers wrap modulo 2^n (two's complement), as NCCL's do.
enum class DType : std::uint8_t { f16, bf16, f32, i8, i32 };

/// Bytes an element takes.
constexpr std::int64_t size_of(DType t) {
  switch (t) {
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::i8:
      return 1;
  }
  return 0;
}
constexpr bool is_float(DType t) { return t == DType::f16 || t == DType::bf16 || t == DType::f32; }
std::string_view to_string(DType t);
/// "f16", "bf16", "f32", "i8", "i32"; false for anything else.
bool parse(std::string_view text, DType& out);

/// f32 from the bits of an IEEE 754 binary16: exact. NaN keeps its payload and becomes quiet.
constexpr float f16_to_f32(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 0x1fu;
  std::uint32_t fraction = h & 0x3ffu;
  if (exponent == 31)  // infinity, NaN
    return std::bit_cast<float>(sign | 0x7f800000u | (fraction ? 0x400000u | (fraction << 13) : 0u));
  if (exponent) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
  if (!fraction) return std::bit_cast<float>(sign);
  const int shift = std::countl_zero(fraction) - 21;  // puts the leading one at bit 10
  fraction = (fraction << shift) & 0x3ffu;
  return std::bit_cast<float>(sign | (static_cast<std::uint32_t>(113 - shift) << 23) | (fraction << 13));
}

/// Bits of the binary16 nearest to `f`, ties to even; too large becomes infinity (from 65520 on), subnormals are kept.
constexpr std::uint16_t f32_to_f16(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t out = 0;
  if (magnitude > 0x7f800000u) {
    out = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520: half-way between the largest finite and 2^16
    out = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // normal: 2^-14 and up
    out = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  } else if (magnitude > 0x33000000u) {  // above 2^-25, half of the smallest subnormal
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t drop = 126u - exponent;  // 14 to 24
    const std::uint32_t kept = fraction >> drop;
    const std::uint32_t rest = fraction & ((1u << drop) - 1u);
    const std::uint32_t half = 1u << (drop - 1u);
    out = kept + ((rest > half || (rest == half && (kept & 1u))) ? 1u : 0u);
  }
  return static_cast<std::uint16_t>(sign | out);
}

/// f32 from the bits of a bfloat16: exact. A signalling NaN becomes quiet.
constexpr float bf16_to_f32(std::uint16_t b) {
  const std::uint32_t bits = static_cast<std::uint32_t>(b) << 16;
  return std::bit_cast<float>((bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x400000u : bits);
}

/// Bits of the bfloat16 nearest to `f`, ties to even.
constexpr std::uint16_t f32_to_bf16(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// Storage of one binary16 or bfloat16 element; arithmetic goes through f32.
struct F16 {
  std::uint16_t bits = 0;
  constexpr F16() = default;
  constexpr explicit F16(float f) : bits(f32_to_f16(f)) {}
  constexpr explicit operator float() const { return f16_to_f32(bits); }
};
struct BF16 {
  std::uint16_t bits = 0;
  constexpr BF16() = default;
  constexpr explicit BF16(float f) : bits(f32_to_bf16(f)) {}
  constexpr explicit operator float() const { return bf16_to_f32(bits); }
};

/// Element `i` of an array of type `t`, as a double: exact for every type.
double load_as_double(DType t, const void* data, std::int64_t i);
/// Stores a value: floats through f32 (one rounding double to f32, one to the type), integers truncated toward zero
/// modulo 2^n.
void store_double(DType t, void* data, std::int64_t i, double value);
/// Distance in units in the last place: how many representable values of type `t` lie between element `i` of both
/// arrays. Integers: the absolute difference. Two NaNs are 0 apart; a NaN and a number INT64_MAX. +0 and -0 are 0
/// apart.
std::int64_t ulp_distance(DType t, const void* a, const void* b, std::int64_t i);

}  // namespace tutti::memory
