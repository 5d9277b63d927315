// Elements a second of memory::reduce, against one element at a time through the conversions of dtype.h.
#include <vector>

#include <benchmark/benchmark.h>

#include "memory/reduce.h"

namespace {

using namespace tutti::memory;

void sum(benchmark::State& state, DType t) {
  const std::int64_t n = state.range(0);
  std::vector<std::byte> a(static_cast<std::size_t>(n * 4)), b(a);
  for (auto _ : state) {
    reduce(ReduceOp::sum, t, a.data(), b.data(), n);
    benchmark::DoNotOptimize(a.data());
  }
  state.SetItemsProcessed(state.iterations() * n);
}
void scalar_f16(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<std::uint16_t> a(n), b(n);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) a[i] = f32_to_f16(f16_to_f32(a[i]) + f16_to_f32(b[i]));
    benchmark::DoNotOptimize(a.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(sum, f16, DType::f16)->Arg(256)->Arg(32768);
BENCHMARK_CAPTURE(sum, bf16, DType::bf16)->Arg(256)->Arg(32768);
BENCHMARK_CAPTURE(sum, f32, DType::f32)->Arg(256)->Arg(32768);
BENCHMARK_CAPTURE(sum, i8, DType::i8)->Arg(256)->Arg(32768);
BENCHMARK(scalar_f16)->Arg(256)->Arg(32768);

}  // namespace

BENCHMARK_MAIN();
