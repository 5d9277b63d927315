#include "memory/exact.h"

#include <cmath>
#include <cstring>

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

}  // namespace

void add_exactly(DType t, const void* elements, std::span<double> sum, std::span<double> magnitude) {
  CHECK(sum.size() == magnitude.size(), "sums and magnitudes of one length");
  const auto widen = [](auto v) { return static_cast<double>(v); };
  switch (t) {
    case DType::f16:
      return add<std::uint16_t>(elements, sum, magnitude, [](std::uint16_t h) { return double{f16_to_f32(h)}; });
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
