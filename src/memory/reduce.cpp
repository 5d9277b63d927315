#include "memory/reduce.h"

#include <cmath>
#include <cstring>

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

template <class Bits, class Load, class Store>
void each(ReduceOp op, void* accumulator, const void* operand, std::int64_t elements, Load load, Store store) {
  auto* a = static_cast<char*>(accumulator);
  const auto* b = static_cast<const char*>(operand);
  for (std::int64_t i = 0; i < elements; ++i) {
    Bits x, y;
    std::memcpy(&x, a + i * static_cast<std::int64_t>(sizeof(Bits)), sizeof(Bits));
    std::memcpy(&y, b + i * static_cast<std::int64_t>(sizeof(Bits)), sizeof(Bits));
    const Bits result = store(apply(op, load(x), load(y)));
    std::memcpy(a + i * static_cast<std::int64_t>(sizeof(Bits)), &result, sizeof(Bits));
  }
}

}  // namespace

void reduce(ReduceOp op, DType t, void* accumulator, const void* operand, std::int64_t elements) {
  const auto same = [](float f) { return f; };
  const auto widen = [](auto v) { return static_cast<std::int64_t>(v); };
  switch (t) {
    case DType::f16:
      return each<std::uint16_t>(op, accumulator, operand, elements, f16_to_f32, f32_to_f16);
    case DType::bf16:
      return each<std::uint16_t>(op, accumulator, operand, elements, bf16_to_f32, f32_to_bf16);
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
