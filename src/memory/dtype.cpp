#include "memory/dtype.h"

#include <cmath>
#include <cstring>

namespace tutti::memory {
namespace {

template <class T>
T at(const void* data, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void put(void* data, std::int64_t i, T value) {
  std::memcpy(static_cast<char*>(data) + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

std::int64_t to_integer(double v) {
  constexpr double two63 = 9223372036854775808.0;
  if (!(v > -two63 && v < two63)) return 0;
  return static_cast<std::int64_t>(v);
}

/// Sign and magnitude onto one line of integers on which neighbours differ by one.
std::int64_t place(std::uint32_t bits, std::uint32_t sign) {
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1u));
  return bits & sign ? -magnitude : magnitude;
}

}  // namespace

std::string_view to_string(DType t) {
  switch (t) {
    case DType::f16:
      return "f16";
    case DType::bf16:
      return "bf16";
    case DType::f32:
      return "f32";
    case DType::i8:
      return "i8";
    case DType::i32:
      return "i32";
  }
  return "?";
}

bool parse(std::string_view text, DType& out) {
  for (const DType t : {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32})
    if (to_string(t) == text) return out = t, true;
  return false;
}

double load_as_double(DType t, const void* data, std::int64_t i) {
  switch (t) {
    case DType::f16:
      return static_cast<double>(f16_to_f32(at<std::uint16_t>(data, i)));
    case DType::bf16:
      return static_cast<double>(bf16_to_f32(at<std::uint16_t>(data, i)));
    case DType::f32:
      return static_cast<double>(at<float>(data, i));
    case DType::i8:
      return at<std::int8_t>(data, i);
    case DType::i32:
      return at<std::int32_t>(data, i);
  }
  return 0;
}

void store_double(DType t, void* data, std::int64_t i, double value) {
  switch (t) {
    case DType::f16:
      return put(data, i, f32_to_f16(static_cast<float>(value)));
    case DType::bf16:
      return put(data, i, f32_to_bf16(static_cast<float>(value)));
    case DType::f32:
      return put(data, i, static_cast<float>(value));
    case DType::i8:
      return put(data, i, static_cast<std::int8_t>(to_integer(value)));
    case DType::i32:
      return put(data, i, static_cast<std::int32_t>(to_integer(value)));
  }
}

std::int64_t ulp_distance(DType t, const void* a, const void* b, std::int64_t i) {
  const double x = load_as_double(t, a, i), y = load_as_double(t, b, i);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y) ? 0 : INT64_MAX;
  if (!is_float(t)) return static_cast<std::int64_t>(std::abs(x - y));
  if (t == DType::f32)
    return std::abs(place(at<std::uint32_t>(a, i), 1u << 31) - place(at<std::uint32_t>(b, i), 1u << 31));
  return std::abs(place(at<std::uint16_t>(a, i), 1u << 15) - place(at<std::uint16_t>(b, i), 1u << 15));
}

}  // namespace tutti::memory
