#pragma once
#include <cstdint>

#include "memory/dtype.h"

namespace tutti::memory {

/// c[m][n] = (accumulate ? c[m][n] : 0) + sum over k of a[m][k] x b[k][n], all row by row.
/// Floats: products and sums in f32, in order of k from the old c on, rounded once to `t`; integers modulo 2^32 inside.
/// Bit-reproducible: the order does not depend on sizes or machine.
/// @param a  m x k, @param b  k x n, @param c  m x n elements of type `t`, not overlapping.
void gemm(DType t, const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k,
          bool accumulate);

}  // namespace tutti::memory
