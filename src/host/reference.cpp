#include "host/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"
#include "ccl/helpers.h"
#include "memory/exact.h"

namespace tutti::host {
namespace {

using ccl::Piece;

/// Integers wrap: the residue of `v` modulo 2^n as the type holds it.
double wrap(memory::DType t, double v) {
  if (memory::is_float(t)) return v;
  std::byte bytes[4] = {};
  memory::store_double(t, bytes, 0, std::fmod(v, t == memory::DType::i8 ? 256.0 : 4294967296.0));
  return memory::load_as_double(t, bytes, 0);
}

class Reference {
 public:
  Reference(std::string_view collective, memory::DType t, memory::ReduceOp op, int root, const Buffers& before,
            const Buffers& after)
      : t_(t), op_(op), before_(before), after_(after), ranks_(static_cast<std::int64_t>(before.size())) {
    const auto width = static_cast<std::size_t>(memory::size_of(t));
    const auto elements = static_cast<std::int64_t>(before[0].size() / width);
    const Piece whole{0, elements};
    if (collective == "all_reduce") {
      reduce();
      compare(0, 0, whole, 0);
      for (std::size_t r = 1; r < after.size(); ++r) same(r, whole);
    } else if (collective == "reduce_scatter") {
      reduce();
      for (std::size_t r = 0; r < after.size(); ++r) {
        const Piece own = ccl::part(whole, ranks_, static_cast<std::int64_t>(r));
        compare(r, static_cast<std::size_t>(own.first), own, own.first);
      }
    } else if (collective == "all_gather") {
      for (std::size_t from = 0; from < before.size(); ++from) {
        const Piece own = ccl::part(whole, ranks_, static_cast<std::int64_t>(from));
        for (std::size_t r = 0; r < after.size(); ++r) moved(r, own.first, from, own);
      }
    } else if (collective == "broadcast") {
      for (std::size_t r = 0; r < after.size(); ++r) moved(r, 0, static_cast<std::size_t>(root), whole);
    } else if (collective == "all_to_all") {
      for (std::size_t r = 0; r < after.size(); ++r) {
        const Piece own = ccl::part(whole, ranks_, static_cast<std::int64_t>(r));
        for (std::size_t from = 0; from < before.size(); ++from)
          moved(r, own.elements * static_cast<std::int64_t>(from), from, own);
      }
    } else if (collective != "barrier") {
      throw ConfigError(fmt::format("error: there is no reference for '{}'; run it with --no-verify-data", collective));
    }
  }
  Verification result;

 private:
  void reduce() {
    const std::size_t n = before_[0].size() / static_cast<std::size_t>(memory::size_of(t_));
    sum_.assign(n, 0), magnitude_.assign(n, 0);
    if (op_ == memory::ReduceOp::prod) throw ConfigError("error: there is no reference for products");
    if (op_ == memory::ReduceOp::sum) {
      for (const auto& b : before_) memory::add_exactly(t_, b.data(), sum_, magnitude_);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] = memory::load_as_double(t_, before_[0].data(), static_cast<std::int64_t>(i));
      for (const auto& b : before_) {
        const double x = memory::load_as_double(t_, b.data(), static_cast<std::int64_t>(i));
        sum_[i] = op_ == memory::ReduceOp::max ? std::max(sum_[i], x) : std::min(sum_[i], x);
      }
    }
  }

  /// Elements `at` of rank r's result against sums from `first` on.
  void compare(std::size_t r, std::size_t first, Piece piece, std::int64_t at) {
    const double bound = static_cast<double>(ranks_ - 1) * memory::unit_roundoff(t_);
    for (std::int64_t i = 0; i < piece.elements; ++i) {
      const std::size_t k = first + static_cast<std::size_t>(i);
      result.compare(t_, after_[r].data() + (at + i) * memory::size_of(t_), wrap(t_, sum_[k]), bound * magnitude_[k], r,
                     at + i);
    }
    result.elements += static_cast<std::uint64_t>(piece.elements);
  }

  /// Rank r's result against rank 0's, byte by byte.
  void same(std::size_t r, Piece piece) {
    result.elements += static_cast<std::uint64_t>(piece.elements);
    const bool equal = after_[r].size() == after_[0].size() &&
                       (after_[r].empty() || std::memcmp(after_[r].data(), after_[0].data(), after_[r].size()) == 0);
    if (!equal && !result.mismatch) {
      const auto at = std::mismatch(after_[0].begin(), after_[0].end(), after_[r].begin()).first - after_[0].begin();
      result.mismatch = fmt::format("ranks 0 and {} differ at element {}", r, at / memory::size_of(t_));
    }
  }

  /// Elements `at` of rank r's result are those that `from` held at `piece`.
  void moved(std::size_t r, std::int64_t at, std::size_t from, Piece piece) {
    const auto width = memory::size_of(t_);
    result.elements += static_cast<std::uint64_t>(piece.elements);
    const std::byte* got = after_[r].data() + at * width;
    const std::byte* expected = before_[from].data() + piece.first * width;
    if (piece.elements == 0 || std::memcmp(got, expected, static_cast<std::size_t>(piece.elements * width)) == 0)
      return;
    for (std::int64_t i = 0; i < piece.elements; ++i) {
      const std::int64_t ulp = memory::ulp_distance(t_, got + i * width, expected + i * width, 0);
      const double a = memory::load_as_double(t_, got, i), b = memory::load_as_double(t_, expected, i);
      result.max_ulp = std::max(result.max_ulp, ulp);
      result.max_abs_error = std::max(result.max_abs_error, std::fabs(a - b));
      if (!result.mismatch && std::memcmp(got + i * width, expected + i * width, static_cast<std::size_t>(width)) != 0)
        result.mismatch = fmt::format("rank {} element {}: {} instead of {}, element {} of rank {}", r, at + i, a, b,
                                      piece.first + i, from);
    }
  }

  memory::DType t_;
  memory::ReduceOp op_;
  const Buffers &before_, &after_;
  std::int64_t ranks_;
  std::vector<double> sum_, magnitude_;
};

}  // namespace

double Verification::error_in_ulp(memory::DType t) const {
  if (!memory::is_float(t)) return max_abs_error;
  if (largest <= 0) return 0;
  return max_abs_error / std::ldexp(2 * memory::unit_roundoff(t), std::ilogb(largest));
}

void Verification::compare(memory::DType t, const std::byte* bytes, double expected, double allowed, std::size_t rank,
                           std::int64_t element) {
  const double got = memory::load_as_double(t, bytes, 0), error = std::fabs(got - expected);
  // Overflow of the type is a result, not an error: the reference rounded to the type says which.
  std::byte rounded[4];
  memory::store_double(t, rounded, 0, expected);
  const std::int64_t ulp = memory::ulp_distance(t, bytes, rounded, 0);
  max_ulp = std::max(max_ulp, ulp);
  if (std::isfinite(error)) max_abs_error = std::max(max_abs_error, error);
  if (std::isfinite(expected)) largest = std::max(largest, std::fabs(expected));
  if (ulp == 0) return;
  if (allowed > 0 && std::isfinite(error)) max_share = std::max(max_share, error / allowed);
  if (!(error <= allowed) && !mismatch)
    mismatch =
        fmt::format("rank {} element {}: {} instead of {} (at most {} apart)", rank, element, got, expected, allowed);
}

Verification verify_collective(std::string_view collective, memory::DType dtype, memory::ReduceOp op, int root,
                               const Buffers& before, const Buffers& after) {
  CHECK(!before.empty() && before.size() == after.size(), "a buffer of each rank before and after");
  return Reference(collective, dtype, op, root, before, after).result;
}

namespace {

/// The values that narrow floats draw from: multiples of `step` in [-1, 1), in order.
template <std::size_t N, class Narrow>
std::array<std::uint16_t, N> multiples(float step, Narrow narrow) {
  std::array<std::uint16_t, N> all;
  for (std::size_t i = 0; i < N; ++i) all[i] = narrow(static_cast<float>(static_cast<int>(i) - int{N} / 2) * step);
  return all;
}

/// bytes[i] = element(16 random bits) for each of `elements`.
template <class T, class F>
void fill(std::vector<std::byte>& bytes, std::int64_t elements, Random random, F element) {
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    bits = i % 4 == 0 ? random.next() : bits >> 16;
    const T value = element(static_cast<std::int64_t>(bits & 0xffffu));
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

std::vector<std::byte> random_elements(memory::DType dtype, std::int64_t elements, std::uint64_t seed, int rank) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(elements * memory::size_of(dtype)));
  Random random(seed + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(rank) + 1));
  switch (dtype) {
    case memory::DType::f16: {
      static const auto values = multiples<2048>(0x1p-10f, memory::f32_to_f16);
      fill<std::uint16_t>(bytes, elements, random,
                          [](std::int64_t d) { return values[static_cast<std::size_t>(d % 2048)]; });
      break;
    }
    case memory::DType::bf16: {
      static const auto values = multiples<256>(0x1p-7f, memory::f32_to_bf16);
      fill<std::uint16_t>(bytes, elements, random,
                          [](std::int64_t d) { return values[static_cast<std::size_t>(d % 256)]; });
      break;
    }
    case memory::DType::f32:
      for (std::int64_t i = 0; i < elements; ++i) {
        if (i % 4 == 0) random.next();
        const float f = static_cast<float>(static_cast<std::int64_t>(random.next() >> 40) - (1 << 23)) * 0x1p-23f;
        std::memcpy(bytes.data() + 4 * i, &f, 4);
      }
      break;
    case memory::DType::i8:
      fill<std::int8_t>(bytes, elements, random,
                        [](std::int64_t d) { return static_cast<std::int8_t>(d % 201 - 100); });
      break;
    case memory::DType::i32:
      fill<std::int32_t>(bytes, elements, random,
                         [](std::int64_t d) { return static_cast<std::int32_t>(d * 32 - (1 << 20)); });
      break;
  }
  return bytes;
}

}  // namespace tutti::host
