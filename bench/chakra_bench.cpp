// Reading rate of Chakra traces: bytes of file a second of CPU, for nodes as a pipeline writes them.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "workload/trace_format.h"
#include "workload/trace_writer.h"

namespace {

using namespace tutti::workload;

void read_chakra(benchmark::State& state) {
  TraceWriter w;
  for (std::uint64_t i = 1; i <= 200'000; ++i) {
    NodeSpec n;
    n.id = i;
    n.name = "mb0.transformer.0.mha.qkv@0_COMP_" + std::to_string(i);
    if (i % 2) {
      n.num_ops = i * 1000;
      n.tensor_size = i * 64;
    } else {
      n.type = NodeType::comm_send;
      n.comm_size = 1 << 20;
      n.comm_src = 0;
      n.comm_dst = 1;
      n.comm_tag = 7;
    }
    if (i > 1) n.data_deps = {i - 1};
    w.add(n);
  }
  const std::string path = (std::filesystem::temp_directory_path() / "tutti_bench.0.et").string();
  w.save(path);
  for (auto _ : state) benchmark::DoNotOptimize(read_trace(path).trace.nodes.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(w.bytes().size()));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 200'000);
  std::filesystem::remove(path);
}
BENCHMARK(read_chakra)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
