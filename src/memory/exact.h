#pragma once
#include <cstdint>
#include <span>

#include "memory/dtype.h"

namespace tutti::memory {

/// sum[i] += x[i] and magnitude[i] += |x[i]| in double, for the elements of an array of type `t`. Of f16, bf16 and
/// integers up to 2^29 elements the sums are exact.
void add_exactly(DType t, const void* elements, std::span<double> sum, std::span<double> magnitude);

/// Unit roundoff: half the distance from 1 to the next value. 0 for integers.
double unit_roundoff(DType t);

}  // namespace tutti::memory
