#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/limits.h"
#include "fabric/topology.h"

namespace {

using namespace tutti;
using namespace tutti::fabric;

/// Sends `count` packets to one neighbour, the next when the last has left: the load of a ring on every PE.
struct Streamer : Client {
  void send() {
    if (left-- > 0) fabric->send(packet);
  }
  void departing(const Packet&) override {}
  void drained(const Packet&) override { send(); }
  void arrived(const Packet&) override {}
  Fabric* fabric = nullptr;
  Packet packet;
  int left = 0;
};

/// Every PE of a SIP streams to the next rank on compute and comm by turns of ranks.
void chunks(benchmark::State& state, bool naive) {
  const Graph graph = build(profile("small"));
  std::vector<NodeId> pes;
  for (const Layout::Cube& cube : graph.layout()->cubes) pes.insert(pes.end(), cube.pes.begin(), cube.pes.end());
  std::uint64_t chunks = 0, events = 0;
  for (auto _ : state) {
    sim::Simulation simulation;
    FabricSpec spec;
    spec.naive = naive;
    Fabric fabric(simulation, graph, spec);
    std::vector<Streamer> clients(pes.size());
    for (std::size_t i = 0; i < pes.size(); ++i) {
      clients[i].fabric = &fabric;
      clients[i].packet = {pes[i], pes[(i + 1) % pes.size()], static_cast<std::uint64_t>(state.range(0)),
                           static_cast<std::uint8_t>(i % 2), 0};
      clients[i].left = 200;
      fabric.attach(pes[i], clients[i]);
    }
    for (Streamer& c : clients) c.send();
    simulation.run_before(Time::max());
    chunks += fabric.chunks();
    events += simulation.events();
  }
  state.counters["chunks/s"] = benchmark::Counter(static_cast<double>(chunks), benchmark::Counter::kIsRate);
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
void fast_path(benchmark::State& state) { chunks(state, false); }
void event_a_chunk(benchmark::State& state) { chunks(state, true); }
BENCHMARK(fast_path)->Arg(4 << 10)->Arg(16 << 10)->Arg(256 << 10)->Unit(benchmark::kMillisecond);
BENCHMARK(event_a_chunk)->Arg(16 << 10)->Unit(benchmark::kMillisecond);

void build_full(benchmark::State& state) {
  for (auto _ : state) {
    const Graph graph = build(profile("full"));
    sim::Simulation simulation;
    const Fabric fabric(simulation, graph, {});
    benchmark::DoNotOptimize(fabric.in_flight());
  }
}
BENCHMARK(build_full)->Unit(benchmark::kMillisecond);

void limits_of_full(benchmark::State& state) {
  const Graph graph = build(profile("full"));
  std::vector<NodeId> pes;
  for (const Layout::Cube& cube : graph.layout()->cubes) pes.insert(pes.end(), cube.pes.begin(), cube.pes.end());
  for (auto _ : state) benchmark::DoNotOptimize(graph_limits(graph, pes).cuts.size());
}
BENCHMARK(limits_of_full)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
