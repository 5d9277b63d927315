#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fabric/fabric.h"
#include "fabric/topology.h"

namespace tutti::fabric {
namespace {

struct Pe {
  int sip, cube, pe;
  std::string path() const {
    return "sip" + std::to_string(sip) + ".cube" + std::to_string(cube) + ".pe" + std::to_string(pe) + ".pe_dma";
  }
};

/// The specification's formula, from coordinates alone: counts routers, ports and millimetres between two PEs.
/// Picoseconds throughout.
class ClosedForm {
 public:
  explicit ClosedForm(const Topology& t) : t_(t) {}

  std::int64_t operator()(Pe a, Pe b, std::int64_t bytes) {
    total_ = 2 * 4'000;  // the DMAs
    gbs_ = 128;
    if (a.sip == b.sip) {
      across_cubes(a.cube, t_.pes[static_cast<std::size_t>(a.pe)], b.cube, t_.pes[static_cast<std::size_t>(b.pe)]);
    } else {
      // By the west port of cube 0 on both sides: cube and IO chiplet have a UCIe port each, then NoC and endpoint.
      across_cubes(a.cube, t_.pes[static_cast<std::size_t>(a.pe)], 0, *t_.west);
      across_cubes(0, *t_.west, b.cube, t_.pes[static_cast<std::size_t>(b.pe)]);
      total_ += 4 * 8'000 + 2 * 4'000;
      const int around = std::abs(a.sip - b.sip), hops = std::min(around, t_.sips - around);
      total_ += hops * (110'000 + 2 * 6'700) + (hops + 1) * 75'000;  // switches, a metre of board each way, endpoints
      gbs_ = 57;
    }
    return total_ + (bytes * 1000 + gbs_ - 1) / gbs_;
  }

 private:
  void mesh(Position a, Position b) {
    const int hops = std::abs(a.first - b.first) + std::abs(a.second - b.second);
    total_ += (hops + 1) * 2'000 + hops * 300;
  }
  void across_cubes(int from, Position at, int to, Position end) {
    int row = from / t_.cube_columns, column = from % t_.cube_columns;
    const int end_row = to / t_.cube_columns, end_column = to % t_.cube_columns;
    while (column != end_column || row != end_row) {
      Position out, in;
      if (column != end_column) {
        const bool east = column < end_column;
        out = east ? *t_.east : *t_.west;
        in = east ? *t_.west : *t_.east;
        column += east ? 1 : -1;
      } else {
        const bool south = row < end_row;
        out = south ? *t_.south : *t_.north;
        in = south ? *t_.north : *t_.south;
        row += south ? 1 : -1;
      }
      mesh(at, out);
      total_ += 2 * 8'000 + 300;  // two ports, 12 mm pitch - 9 mm of mesh
      at = in;
    }
    mesh(at, end);
  }

  const Topology& t_;
  std::int64_t total_ = 0, gbs_ = 0;
};

/// Starts a packet a millisecond until all are through.
struct Prober : Client, sim::Event {
  struct Probe {
    Packet packet;
    std::int64_t expected;
  };
  Prober(sim::Simulation& s, Fabric& f)
      : Event([](sim::Event& e) { static_cast<Prober&>(e).next(); }), simulation(&s), fabric(&f) {}
  void next() {
    start = simulation->now();
    probes[index].packet.payload = index;
    fabric->send(probes[index].packet);
    if (++index < probes.size()) simulation->after(Time::ms(1), *this);
  }
  void departing(const Packet&) override {}
  void drained(const Packet&) override {}
  void arrived(const Packet& p) override {
    ASSERT_EQ((simulation->now() - start).ps(), probes[p.payload].expected)
        << fabric->graph().nodes()[p.from].path << " to " << fabric->graph().nodes()[p.to].path << ", " << p.bytes;
    ASSERT_EQ(fabric->path_latency(p.from, p.to, p.bytes).ps(), probes[p.payload].expected);
    ++done;
  }
  sim::Simulation* simulation;
  Fabric* fabric;
  std::vector<Probe> probes;
  std::size_t index = 0, done = 0;
  Time start;
};

void probe(const Topology& t, const std::vector<std::pair<Pe, Pe>>& pairs, const std::vector<std::int64_t>& sizes) {
  sim::Simulation simulation;
  const Graph graph = build(t);
  Fabric fabric(simulation, graph, {});
  Prober prober(simulation, fabric);
  for (const Layout::Cube& cube : graph.layout()->cubes)
    for (const NodeId pe : cube.pes) fabric.attach(pe, prober);
  ClosedForm closed_form(t);
  for (const auto& [a, b] : pairs)
    for (const std::int64_t bytes : sizes)
      prober.probes.push_back({{graph.node(a.path()), graph.node(b.path()), static_cast<std::uint64_t>(bytes), 1, 0},
                               closed_form(a, b, bytes)});
  simulation.at(Time(), prober);
  simulation.run_before(Time::max());
  EXPECT_EQ(prober.done, pairs.size() * sizes.size());
}

TEST(ClosedForm, every_pair_of_pes_of_tiny_meets_it_to_the_picosecond) {
  const Topology t = profile("tiny");
  std::vector<std::pair<Pe, Pe>> pairs;
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b)
      if (a != b) pairs.push_back({{0, a / 4, a % 4}, {0, b / 4, b % 4}});
  probe(t, pairs, {0, 1, 16, 128, 255, 256, 257, 4096, 1'000'003});
}

TEST(ClosedForm, five_hundred_pairs_of_full_meet_it_to_the_picosecond) {
  std::mt19937 random(1);
  std::vector<std::pair<Pe, Pe>> pairs;
  const auto any = [&random] {
    return Pe{static_cast<int>(random() % 8), static_cast<int>(random() % 16), static_cast<int>(random() % 8)};
  };
  while (pairs.size() < 500) {
    const Pe a = any(), b = any();
    if (a.path() != b.path()) pairs.push_back({a, b});
  }
  probe(profile("full"), pairs, {0, 16, 4096, 100'003});
}

std::pair<Time, Time> range(const Graph& g, const std::string& cube_a, std::vector<int> from, const std::string& cube_b,
                            std::vector<int> to, std::int64_t bytes) {
  sim::Simulation s;
  const Fabric f(s, g, {});
  Time low = Time::max(), high;
  for (const int a : from)
    for (const int b : to) {
      const Time t =
          f.path_latency(g.node(cube_a + ".pe" + std::to_string(a) + ".pe_dma"),
                         g.node(cube_b + ".pe" + std::to_string(b) + ".pe_dma"), static_cast<std::uint64_t>(bytes));
      low = std::min(low, t);
      high = std::max(high, t);
    }
  return {low, high};
}

std::int64_t whole_ns(Time t) { return (t.ps() + 500) / 1000; }

TEST(ClosedForm, the_zero_load_table_of_the_specification_is_met) {
  Topology t = profile("small");
  t.sips = 2;
  const Graph g = build(t);
  const std::int64_t sizes[] = {16, 128, 4096};
  // In a cube: one hop and six; tenths of a nanosecond.
  const std::int64_t near_cube[] = {124, 133, 443}, far_cube[] = {239, 248, 558};
  // Adjacent cubes: from the PEs of the last row to those of the first row of the next cube to the east.
  const std::int64_t near_adjacent[] = {33, 34, 65}, far_adjacent[] = {47, 48, 79};
  const std::int64_t cross_sip[] = {330, 332, 402};
  for (int i = 0; i < 3; ++i) {
    const auto in_cube = range(g, "sip0.cube0", {0}, "sip0.cube0", {1, 7}, sizes[i]);
    EXPECT_EQ((in_cube.first.ps() + 50) / 100, near_cube[i]);
    EXPECT_EQ((in_cube.second.ps() + 50) / 100, far_cube[i]);
    const auto adjacent = range(g, "sip0.cube0", {4, 5, 6, 7}, "sip0.cube1", {0, 1, 2, 3}, sizes[i]);
    EXPECT_EQ(whole_ns(adjacent.first), near_adjacent[i]);
    EXPECT_EQ(whole_ns(adjacent.second), far_adjacent[i]);
    EXPECT_EQ(whole_ns(range(g, "sip0.cube0", {0}, "sip1.cube0", {0}, sizes[i]).first), cross_sip[i]);
  }
}

TEST(ClosedForm, the_farthest_pes_of_adjacent_cubes_are_ten_hops_apart) {
  const Graph g = build(profile("small"));
  const auto all = range(g, "sip0.cube0", {0, 1, 2, 3, 4, 5, 6, 7}, "sip0.cube1", {0, 1, 2, 3, 4, 5, 6, 7}, 16);
  // 2 DMAs, 2 ports, 12 routers, 10 hops of 3 mm and 3 mm between the cubes at 0.1 ns/mm, 16 B at 128 B/ns
  EXPECT_EQ(all.second, Time::ps(8'000 + 16'000 + 24'000 + 3'300 + 125));
}

}  // namespace
}  // namespace tutti::fabric
