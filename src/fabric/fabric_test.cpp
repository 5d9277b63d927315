#include "fabric/fabric.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "base/error.h"
#include "fabric/topology.h"

namespace tutti::fabric {
namespace {

/// Notes when each payload departs, drains and arrives.
struct Recorder : Client {
  explicit Recorder(sim::Simulation& s) : simulation(&s) {}
  void departing(const Packet& p) override { departed[p.payload] = simulation->now(); }
  void drained(const Packet& p) override { left[p.payload] = simulation->now(); }
  void arrived(const Packet& p) override {
    arrivals[p.payload] = simulation->now();
    order.push_back(p.payload);
  }
  sim::Simulation* simulation;
  std::map<std::uint64_t, Time> departed, left, arrivals;
  std::vector<std::uint64_t> order;
};

/// a - router - b at 1 GB/s (a byte a ns): overheads 1, 2, 4 ns, wires of 10 ps.
Graph line() {
  Graph g;
  const NodeId a = g.add_node("a", "pe_dma", Time::ns(1)), r = g.add_node("r", "router", Time::ns(2)),
               b = g.add_node("b", "pe_dma", Time::ns(4));
  g.connect(a, r, "noc", Bandwidth::gb_per_s(1), 1, 0.01);
  g.connect(r, b, "noc", Bandwidth::gb_per_s(1), 1, 0.01);
  return g;
}

struct Line {
  explicit Line(FabricSpec spec)
      : fabric(simulation, graph, std::move(spec)), ends{Recorder(simulation), Recorder(simulation)} {
    fabric.attach(0, ends[0]);
    fabric.attach(2, ends[1]);
  }
  sim::Simulation simulation;
  Graph graph = line();
  Fabric fabric;
  Recorder ends[2];
};

TEST(Fabric, a_packet_alone_departs_after_its_source_drains_at_the_rate_and_arrives_after_the_closed_form) {
  Line l({});
  l.fabric.send({0, 2, 100, 1, 7});
  l.simulation.run_before(Time::max());
  EXPECT_EQ(l.ends[0].departed[7], Time::ns(1));
  EXPECT_EQ(l.ends[0].left[7], Time::ns(101));
  EXPECT_EQ(l.ends[1].arrivals[7], Time::ps(107'020));
  EXPECT_EQ(l.fabric.path_latency(0, 2, 100), Time::ps(107'020));
  EXPECT_EQ(l.fabric.in_flight(), 0U);
  EXPECT_EQ(l.fabric.statistics(0).bytes, 100U);
  EXPECT_EQ(l.fabric.statistics(0).busy, Time::ns(100));
}

TEST(Fabric, a_small_packet_on_the_other_channel_waits_for_one_chunk_not_for_the_message) {
  for (const bool naive : {false, true}) {
    FabricSpec spec;
    spec.naive = naive;
    Line l(spec);
    l.fabric.send({0, 2, 256 * 100, 0, 1});
    l.fabric.send({0, 2, 64, 1, 2});
    l.simulation.run_before(Time::max());
    EXPECT_EQ(l.ends[0].departed[2], Time::ns(1 + 256));
    EXPECT_EQ(l.ends[0].left[2], Time::ns(1 + 256 + 64));
    EXPECT_EQ(l.ends[0].left[1], Time::ns(1 + 25600 + 64));
  }
}

TEST(Fabric, on_one_channel_the_small_packet_waits_for_the_message_and_arrives_after_it) {
  Line l({});
  l.fabric.send({0, 2, 256 * 100, 1, 1});
  l.fabric.send({0, 2, 64, 1, 2});
  l.simulation.run_before(Time::max());
  EXPECT_EQ(l.ends[0].departed[2], Time::ns(1 + 25600));
  EXPECT_EQ(l.ends[1].order, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(l.fabric.statistics(0).channels[1].longest, Time::ns(25600));
}

TEST(Fabric, a_packet_to_its_own_node_costs_the_nodes_overhead) {
  Line l({});
  l.fabric.send({0, 0, 64, 1, 1});
  l.simulation.run_before(Time::max());
  EXPECT_EQ(l.ends[0].arrivals[1], Time::ns(1));
}

TEST(Fabric, faults_in_the_specification_are_refused) {
  sim::Simulation s;
  const Graph g = line();
  FabricSpec none, many, weight, chunk;
  none.channels.clear();
  many.channels.resize(5);
  weight.channels[0].weight = 0;
  chunk.chunk_bytes = 0;
  for (const FabricSpec& spec : {none, many, weight, chunk}) EXPECT_THROW(Fabric(s, g, spec), ConfigError);
}

/// Random traffic on a mesh of 16 PEs; a hash of all departures, drains and arrivals.
std::uint64_t mesh_hash(FabricSpec spec, std::uint32_t seed, bool naive, std::uint64_t* events = nullptr) {
  spec.naive = naive;
  sim::Simulation simulation;
  Graph g;
  std::vector<NodeId> pes;
  const Bandwidth rates[] = {Bandwidth::gb_per_s(128), Bandwidth::gb_per_s(57), Bandwidth::gbps(100)};
  for (int i = 0; i < 16; ++i) {
    const NodeId router = g.add_node("r" + std::to_string(i), "router", Time::ns(2));
    const auto join = [&](int other) {
      g.connect(g.node("r" + std::to_string(other)), router, "noc", rates[(seed + static_cast<unsigned>(i)) % 3], 3.0,
                0.1);
    };
    if (i % 4) join(i - 1);
    if (i >= 4) join(i - 4);
  }
  for (int i = 0; i < 16; ++i) {
    pes.push_back(g.add_node("pe" + std::to_string(i), "pe_dma", Time::ns(4)));
    g.connect(pes.back(), g.node("r" + std::to_string(i)), "noc", rates[0], 0.0, 0.1);
  }
  Fabric fabric(simulation, g, spec);
  std::vector<Recorder> clients(16, Recorder(simulation));
  for (std::size_t i = 0; i < 16; ++i) fabric.attach(pes[i], clients[i]);

  struct Starter : sim::Event {
    Starter() : Event([](Event& e) { static_cast<Starter&>(e).fabric->send(static_cast<Starter&>(e).packet); }) {}
    Fabric* fabric = nullptr;
    Packet packet;
  };
  std::mt19937 random(seed);
  std::vector<Starter> starts(600);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint64_t sizes[] = {0, 1, 16, 64, 256, 257, 4096, 5000, 16384, 65536};
    starts[i].fabric = &fabric;
    starts[i].packet = {pes[random() % 16], pes[random() % 16], sizes[random() % 10],
                        static_cast<std::uint8_t>(random() % spec.channels.size()), i};
    simulation.at(Time::ps(random() % 5'000'000 / 300 * 300), starts[i]);
  }
  simulation.run_before(Time::max());
  EXPECT_EQ(fabric.in_flight(), 0U);
  std::uint64_t hash = fabric.chunks();
  const auto mix = [&hash](std::uint64_t v) { hash = (hash ^ v) * 0x9e3779b97f4a7c15U + (hash >> 29); };
  std::size_t arrived = 0;
  for (const Recorder& c : clients) {
    arrived += c.arrivals.size();
    for (const auto* times : {&c.departed, &c.left, &c.arrivals})
      for (const auto& [payload, time] : *times) mix(payload), mix(static_cast<std::uint64_t>(time.ps()));
  }
  EXPECT_EQ(arrived, starts.size());
  for (LinkId l = 0; l < g.links().size(); ++l) {
    const LinkStatistics s = fabric.statistics(l);
    mix(s.bytes), mix(static_cast<std::uint64_t>(s.busy.ps()));
    for (const auto& c : s.channels) mix(c.bytes), mix(static_cast<std::uint64_t>(c.waited.ps()));
  }
  if (events) *events = simulation.events();
  return hash;
}

TEST(Fabric, the_fast_path_and_an_event_a_chunk_give_the_same_times) {
  FabricSpec two, weighted, three, small, strict, own;
  weighted.channels[0].weight = 3;
  weighted.channels[1].weight = 2;
  three.channels.push_back({"credit", 1, true, {}});
  small.chunk_bytes = 48;
  small.channels.push_back({"more", 5, false, {}});
  strict.strict_partition = true;
  own.channels.push_back({"credit", 1, false, Bandwidth::gb_per_s(16)});
  for (const FabricSpec& spec : {two, weighted, three, small, strict, own})
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      std::uint64_t fast = 0, naive = 0;
      EXPECT_EQ(mesh_hash(spec, seed, false, &fast), mesh_hash(spec, seed, true, &naive)) << seed;
      EXPECT_LT(fast, naive);
    }
}

}  // namespace
}  // namespace tutti::fabric
