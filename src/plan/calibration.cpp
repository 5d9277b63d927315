#include "plan/calibration.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plan/wafer.h"

namespace tutti::plan {
namespace {

constexpr int ramp = 2;  // WSE-2, cycles

double reduce_cycles(std::string_view name, int pes, std::int64_t words) {
  const ReduceTree tree = name == "star"    ? wafer_star(pes)
                          : name == "chain" ? wafer_chain(pes)
                          : name == "tree"  ? wafer_tree(pes)
                                            : wafer_two_phase(pes);
  return wafer_cycles(shape(tree), pes, words, ramp);
}

struct WaferPoint {
  int pes;
  std::int64_t words;
  std::string_view name;
  double cycles;
};
constexpr WaferPoint wafer_points[] = {
    {512, 1, "star", 772},       {512, 1, "chain", 3067},         {512, 1, "tree", 561},
    {512, 1, "two-phase", 723},  {512, 16, "tree", 628},          {512, 256, "tree", 2349},
    {512, 256, "chain", 3322},   {512, 256, "two-phase", 1212},   {512, 1024, "two-phase", 2685},
    {512, 8192, "chain", 11258}, {512, 8192, "two-phase", 16594}, {64, 256, "two-phase", 588},
    {64, 256, "chain", 634}};

}  // namespace

double wormhole_noc_cycles(double bytes) { return std::max(21.3 + bytes / 64, bytes / 30); }

double wormhole_fabric_ns(double bytes) { return 760 + (bytes - 16) * (1300.0 - 760) / (4096 - 16); }

double nccl_latency_us(NcclAlgorithm a, NcclProtocol p, int ranks) {
  constexpr double base[2][3] = {{6.6, 14, 8.4}, {6.8, 14, 8.4}};
  constexpr double nvlink[2][3] = {{.6, 1.9, 3.4}, {.6, 1.25, 4.0}};
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(p);
  return base[i][j] + 2.0 * (ranks - 1) * nvlink[i][j];
}

std::vector<CalibrationPoint> calibration_points() {
  std::vector<CalibrationPoint> out;
  constexpr std::pair<double, double> noc[] = {{128, 5.5},   {256, 10.1},  {512, 18.0}, {1024, 27.4},
                                               {2048, 30.0}, {4096, 30.0}, {8192, 30.0}};
  for (const auto& [bytes, rate] : noc)
    out.push_back({"Wormhole NoC (tt-npe)", fmt::format("transfers of {:.0f} B", bytes), "B/cycle", rate,
                   bytes / wormhole_noc_cycles(bytes)});
  // Measured: 40 + 10 cycles a hop. The model takes the 40 and the router's 9 cycles of the ISA documentation.
  for (const int hops : {1, 4, 8})
    out.push_back({"Wormhole NoC (tt-npe)", fmt::format("write over {} hops", hops), "cycles", 40 + 10.0 * hops,
                   40 + 9.0 * hops});
  out.push_back({"Wormhole fabric hop (tt-metal)", "16 B", "ns", 760, wormhole_fabric_ns(16)});
  out.push_back({"Wormhole fabric hop (tt-metal)", "4 KiB", "ns", 1300, wormhole_fabric_ns(4096)});
  out.push_back({"Wormhole fabric hop (tt-metal)", "fused payload and semaphore", "ns", 770, wormhole_fabric_ns(16)});
  out.push_back({"Wormhole fabric hop (tt-metal)", "a hop of a ring (780 to 800)", "ns", 790, wormhole_fabric_ns(16)});
  using enum NcclProtocol;
  constexpr std::tuple<NcclAlgorithm, NcclProtocol, const char*, double> nccl[] = {
      {NcclAlgorithm::ring, ll, "8 GPUs, ring, LL", 15.0},
      {NcclAlgorithm::ring, ll128, "8 GPUs, ring, LL128", 40.6},
      {NcclAlgorithm::ring, simple, "8 GPUs, ring, Simple", 56.0},
      {NcclAlgorithm::tree, ll, "8 GPUs, tree, LL", 15.2}};
  for (const auto& [algorithm, protocol, what, us] : nccl)
    out.push_back({"NCCL's model, all-reduce over NVLink", what, "us", us, nccl_latency_us(algorithm, protocol, 8)});
  for (const WaferPoint& p : wafer_points)
    out.push_back({"wafer-scale reduce (arXiv 2404.15888)",
                   fmt::format("{} of {} words on {} PEs", p.name, p.words, p.pes), "cycles", p.cycles,
                   reduce_cycles(p.name, p.pes, p.words)});
  return out;
}

std::vector<Crossover> wafer_crossovers(int pes) {
  std::vector<Crossover> out;
  for (std::int64_t words = 1; words <= 16384; words *= 2) {
    Crossover best{pes, words, "", 0};
    for (const char* name : {"star", "chain", "tree", "two-phase"})
      if (const double t = reduce_cycles(name, pes, words); best.winner.empty() || t < best.cycles)
        best.winner = name, best.cycles = t;
    if (out.empty() || out.back().winner != best.winner) out.push_back(best);
  }
  return out;
}

}  // namespace tutti::plan
