#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/dtype.h"
#include "memory/reduce.h"

namespace tutti::host {

/// How far a collective's result lies from a reference that knows neither kernels nor queues.
struct Verification {
  std::uint64_t elements = 0;  ///< compared, over all ranks
  double max_abs_error = 0;    ///< against the reference in float64
  /// Numbers of the type between a result and the reference rounded to it: large without meaning where a sum cancels
  /// to nearly 0.
  std::int64_t max_ulp = 0;
  double largest = 0;                   ///< magnitude of the reference
  double max_share = 0;                 ///< error / what rounding may cause, at most: above 1 is a mismatch
  std::optional<std::string> mismatch;  ///< the first element out of bounds, or ranks that disagree

  /// max_abs_error in units in the last place of the largest result; of integers, in ones.
  double error_in_ulp(memory::DType t) const;
  /// Compares an element of type `t` at `got` with a reference from which rounding may take it `allowed` away.
  void compare(memory::DType t, const std::byte* got, double expected, double allowed, std::size_t rank,
               std::int64_t element);
};

/// Bytes of each rank.
using Buffers = std::vector<std::vector<std::byte>>;

/// Checks the result of `collective` ("all_reduce", ... as in ccl::Kernel) against the buffers from before.
/// Sums are formed in float64 and a result may differ by (ranks - 1) x unit roundoff x sum |x|, the error bound of any
/// order of additions (Higham 2002, 4.2, to first order); integers modulo 2^n, moved elements and min, max must be
/// equal. Ranks that hold the same elements must hold the same bytes.
/// @throws ConfigError  a collective that has no reference; prod.
Verification verify_collective(std::string_view collective, memory::DType dtype, memory::ReduceOp op, int root,
                               const Buffers& before, const Buffers& after);

/// Seeded values of a type for a rank: multiples of 2^-10 in [-1, 1) for f16, of 2^-7 for bf16, of 2^-23 for f32;
/// integers from -100 to 100 for i8, from -2^20 to 2^20 for i32.
std::vector<std::byte> random_elements(memory::DType dtype, std::int64_t elements, std::uint64_t seed, int rank);

}  // namespace tutti::host
