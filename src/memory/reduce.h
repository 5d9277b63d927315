#pragma once
#include <cstdint>

#include "memory/dtype.h"

namespace tutti::memory {

enum class ReduceOp : std::uint8_t { sum, max, min, prod };

/// accumulator[i] = accumulator[i] op operand[i] for i in [0, elements): floats in f32 with one rounding to the type,
/// integers modulo 2^n. Element by element, so the result does not depend on the width of vectors. A NaN in either
/// operand gives NaN, for max and min too.
/// @param accumulator, operand  arrays of `elements` values of type `t`, any alignment; equal or not overlapping.
void reduce(ReduceOp op, DType t, void* accumulator, const void* operand, std::int64_t elements);

}  // namespace tutti::memory
