#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "net/backends/packet/generator.h"
#include "net/backends/packet/network_yaml.h"
#include "net/backends/packet/routes.h"

namespace tutti::net::packet {
namespace {

const std::string cable = ": {rate: 400 Gbps, delay: 500 ns}\n";

Topology made(const std::string& keys) { return parse_network_yaml("topology:\n" + keys, "t.yaml").topology; }

/// What a graph shows without knowing how it was made.
struct Shape {
  int hosts = 0, switches = 0, diameter = 0;  ///< diameter: cables between the two hosts that are farthest apart
  std::set<int> host_degrees, switch_degrees;
  bool all_reach = true;
};

Shape shape(const Topology& t) {
  Shape out;
  std::vector<int> degree(static_cast<std::size_t>(t.nodes));
  for (const Cable& c : t.cables) ++degree[static_cast<std::size_t>(c.a)], ++degree[static_cast<std::size_t>(c.b)];
  std::vector<int> hosts;
  for (int n = 0; n < t.nodes; ++n) {
    const bool is_switch = t.is_switch[static_cast<std::size_t>(n)];
    (is_switch ? out.switch_degrees : out.host_degrees).insert(degree[static_cast<std::size_t>(n)]);
    if (is_switch)
      ++out.switches;
    else
      hosts.push_back(n);
  }
  out.hosts = static_cast<int>(hosts.size());
  Routes routes(t, false);
  for (int a : hosts)
    for (int b : hosts) {
      const int d = routes.distance(a, b);
      out.all_reach &= d >= 0;
      out.diameter = std::max(out.diameter, d);
    }
  return out;
}

/// Cables between the hosts below `split` and the others: the least cut that parts them, by augmenting paths over
/// cables of capacity 1 (those of a host have no limit, so that only the network between counts).
int cut(const Topology& t, int split) {
  const int source = t.nodes, sink = t.nodes + 1;
  std::vector<std::map<int, int>> left(static_cast<std::size_t>(t.nodes + 2));
  constexpr int unlimited = 1 << 20;
  for (const Cable& c : t.cables) {
    const bool host = !t.is_switch[static_cast<std::size_t>(c.a)] || !t.is_switch[static_cast<std::size_t>(c.b)];
    left[static_cast<std::size_t>(c.a)][c.b] += host ? unlimited : 1;
    left[static_cast<std::size_t>(c.b)][c.a] += host ? unlimited : 1;
  }
  for (int n = 0; n < t.nodes; ++n) {
    if (t.is_switch[static_cast<std::size_t>(n)]) continue;
    const int end = n < split ? source : sink;
    left[static_cast<std::size_t>(end)][n] = unlimited;
    left[static_cast<std::size_t>(n)][end] = unlimited;
  }
  for (int flow = 0;; ++flow) {
    std::vector<int> from(left.size(), -1), order{source};
    from[static_cast<std::size_t>(source)] = source;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const auto& [next, room] : left[static_cast<std::size_t>(order[i])])
        if (room > 0 && from[static_cast<std::size_t>(next)] < 0) {
          from[static_cast<std::size_t>(next)] = order[i];
          order.push_back(next);
        }
    if (from[static_cast<std::size_t>(sink)] < 0) return flow;
    for (int n = sink; n != source; n = from[static_cast<std::size_t>(n)]) {
      --left[static_cast<std::size_t>(from[static_cast<std::size_t>(n)])][n];
      ++left[static_cast<std::size_t>(n)][from[static_cast<std::size_t>(n)]];
    }
  }
}

using Set = std::set<int>;

TEST(PacketTopologies, ASingleSwitchHasAPortAHost) {
  const Shape s = shape(made("  kind: single_switch\n  hosts: 5\n  host_link" + cable));
  EXPECT_EQ(s.hosts, 5);
  EXPECT_EQ(s.host_degrees, Set{1});
  EXPECT_EQ(s.switch_degrees, Set{5});
  EXPECT_EQ(s.diameter, 2);
  EXPECT_TRUE(s.all_reach);
}

// 4 leaves of 3 hosts, 2 spines by 2 cables each: 12 cables go up on each half's side of the middle: 2 * 2 * 2.
TEST(PacketTopologies, ALeafSpineHasAllLeavesAtAllSpines) {
  const Topology t = made("  kind: leaf_spine\n  leaves: 4\n  hosts_per_leaf: 3\n  spines: 2\n  host_link" + cable +
                          "  spine_link: {rate: 400 Gbps, delay: 1 us, cables: 2}\n");
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 12);
  EXPECT_EQ(s.host_degrees, Set{1});
  EXPECT_EQ(s.switch_degrees, (Set{3 + 4, 8}));
  EXPECT_EQ(s.diameter, 4);
  EXPECT_EQ(cut(t, 6), 8);
  EXPECT_TRUE(s.all_reach);
}

// k^3/4 hosts, 5k^2/4 switches of degree k, diameter 6, full bisection: k^3/8.
TEST(PacketTopologies, AFatTreeHasFullBisection) {
  for (const int k : {2, 4, 6}) {
    const Topology t = made("  kind: fat_tree\n  k: " + std::to_string(k) + "\n  host_link" + cable);
    const Shape s = shape(t);
    EXPECT_EQ(s.hosts, k * k * k / 4);
    EXPECT_EQ(s.switches, 5 * k * k / 4);
    EXPECT_EQ(s.switch_degrees, Set{k});
    EXPECT_EQ(s.diameter, 6);
    EXPECT_EQ(cut(t, s.hosts / 2), k * k * k / 8);
    EXPECT_TRUE(s.all_reach);
  }
}

// a = 4, p = 2, h = 2: 9 groups, routers of degree p + a - 1 + h, at most local, global, local between two routers.
TEST(PacketTopologies, ADragonflyHasOneCableBetweenAnyTwoGroups) {
  const Topology t = made(
      "  kind: dragonfly\n  routers_per_group: 4\n  hosts_per_router: 2\n  global_links_per_router: 2\n  host_link" +
      cable);
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 72);
  EXPECT_EQ(s.switches, 36);
  EXPECT_EQ(s.switch_degrees, Set{7});
  EXPECT_EQ(s.diameter, 5);
  EXPECT_TRUE(s.all_reach);
  std::set<std::pair<int, int>> pairs;
  for (const Cable& c : t.cables) {
    if (!t.is_switch[static_cast<std::size_t>(c.a)] || !t.is_switch[static_cast<std::size_t>(c.b)]) continue;
    const int a = (c.a - 72) / 4, b = (c.b - 72) / 4;
    if (a == b) continue;
    EXPECT_TRUE(pairs.insert({std::min(a, b), std::max(a, b)}).second);
  }
  EXPECT_EQ(pairs.size(), 36u);  // 9 * 8 / 2
}

TEST(PacketTopologies, ADragonflyOfFewerGroupsStaysConnected) {
  for (const int groups : {1, 2, 3, 5}) {
    const Shape s = shape(made("  kind: dragonfly\n  routers_per_group: 2\n  hosts_per_router: 1\n  groups: " +
                               std::to_string(groups) + "\n  global_links_per_router: 2\n  host_link" + cable));
    EXPECT_EQ(s.hosts, 2 * groups);
    EXPECT_TRUE(s.all_reach) << groups;
    EXPECT_LE(s.diameter, 5);
  }
}

// Half a ring a dimension, and a cable at each end; a plane across a torus of 4 x 4 cuts 2 * 4 cables.
TEST(PacketTopologies, ATorusHasTwoCablesADimension) {
  const Topology t = made("  kind: torus\n  sizes: [4, 4]\n  host_link" + cable + "  switch_link" + cable);
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 16);
  EXPECT_EQ(s.switch_degrees, Set{5});
  EXPECT_EQ(s.diameter, 2 + 2 + 2);
  EXPECT_EQ(cut(t, 8), 8);
  const Shape odd = shape(made("  kind: torus\n  sizes: [5, 2, 1]\n  host_link" + cable + "  switch_link" + cable));
  EXPECT_EQ(odd.switch_degrees, Set{4});  // host, two in the ring of 5, one in the row of 2
  EXPECT_EQ(odd.diameter, 2 + 2 + 1);
}

TEST(PacketTopologies, RailsKeepAGpuOfEveryMachineTogether) {
  const Topology t = made(
      "  kind: rail_optimized\n  machines: 4\n  gpus_per_machine: 8\n  nvswitches_per_machine: 4\n  spines: 2\n"
      "  nvlink" +
      cable + "  rail_link" + cable + "  spine_link" + cable);
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 32);
  EXPECT_EQ(s.switches, 16 + 8 + 2);
  EXPECT_EQ(s.host_degrees, Set{5});
  EXPECT_EQ(s.switch_degrees, (Set{8, 4 + 2}));
  EXPECT_EQ(s.diameter, 4);
  Routes routes(t, false);
  EXPECT_EQ(routes.distance(0, 7), 2);          // one machine
  EXPECT_EQ(routes.next_hops(0, 7).count, 4u);  // any of its NVSwitches
  EXPECT_EQ(routes.distance(0, 24), 2);         // one rail
  EXPECT_EQ(routes.distance(0, 25), 4);
}

TEST(PacketTopologies, AnHgxMachineHasItsPlanes) {
  const Topology t = made("  kind: hgx\n  nvlink" + cable);
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 8);
  EXPECT_EQ(s.host_degrees, Set{4});
  EXPECT_EQ(s.switch_degrees, Set{8});
  EXPECT_EQ(s.diameter, 2);
  Routes routes(t, false);
  EXPECT_EQ(routes.next_hops(0, 7).count, 4u);
}

TEST(PacketTopologies, PlanesMeetInTheHostsOnly) {
  const Topology t =
      made("  kind: multi_plane\n  planes: 3\n  leaves: 2\n  hosts_per_leaf: 2\n  spines: 2\n  host_link" + cable +
           "  spine_link" + cable);
  const Shape s = shape(t);
  EXPECT_EQ(s.hosts, 4);
  EXPECT_EQ(s.host_degrees, Set{3});
  EXPECT_EQ(s.switch_degrees, (Set{4, 2}));
  EXPECT_EQ(s.diameter, 4);
  EXPECT_EQ(cut(t, 2), 3 * 2);
}

TEST(PacketTopologies, TwoSitesHaveOneWayBetweenThem) {
  const std::string keys =
      "  kind: two_sites\n  hosts_per_site: 2\n  host_link" + cable + "  long_link: {rate: 10 Gbps, delay: 30 ms}\n";
  const Topology direct = made(keys), middle = made(keys + "  middle_switch: true\n");
  EXPECT_EQ(shape(direct).diameter, 3);
  EXPECT_EQ(shape(middle).diameter, 4);
  EXPECT_EQ(middle.nodes, 7);
  EXPECT_EQ(middle.cables.size(), 6u);
  EXPECT_EQ(cut(middle, 2), 1);
}

TEST(PacketTopologies, CablesCanBeListed) {
  const Topology t = made(
      "  kind: links\n  hosts: 2\n  switches: 1\n  links:\n"
      "    - {between: [0, 2], rate: 100 Gbps, delay: 1 us}\n"
      "    - {between: [1, 2], rate: 50 GB/s, delay: 1 us, cables: 2}\n");
  ASSERT_EQ(t.cables.size(), 3u);
  EXPECT_EQ(t.cables[2].rate, 400'000'000'000u);
  EXPECT_EQ(shape(t).diameter, 2);
}

/// The message of the error that `text` gives.
std::string fault(const std::string& text) {
  try {
    parse_network_yaml(text, "t.yaml");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}
void expect_fault(const std::string& text, const std::string& line, const std::string& what) {
  const std::string got = fault(text);
  EXPECT_NE(got.find("t.yaml:" + line), std::string::npos) << got;
  EXPECT_NE(got.find(what), std::string::npos) << got;
}

const std::string star = "topology:\n  kind: single_switch\n  hosts: 4\n  host_link" + cable;

TEST(PacketTopologies, FaultsAreNamedWithTheirLine) {
  expect_fault("topology:\n  kind: leaf_spin\n", "2:", "leaf_spine");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 0\n  host_link" + cable, "3:", "hosts");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 4\n  host_link: {rate: 400, delay: 500 ns}\n", "4:", "rate");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 4\n  host_link: {rate: 0 Gbps, delay: 500 ns}\n",
               "4:", "rate");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 4\n  host_link: {rate: 4 Gbps, delay: 500}\n",
               "4:", "delay");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 4\n", "", "host_link");
  expect_fault("topology:\n  kind: fat_tree\n  k: 3\n  host_link" + cable, "3:", "even");
  expect_fault("topology:\n  kind: single_switch\n  hosts: 1048576\n  host_link" + cable, "", "1048576");
  expect_fault(
      "topology:\n  kind: links\n  hosts: 2\n  switches: 1\n  links: [{between: [0, 3], rate: 1 Gbps, delay: 1 ns}]\n",
      "5:", "between");
  expect_fault(
      "topology:\n  kind: links\n  hosts: 2\n  switches: 1\n  links: [{between: [1, 1], rate: 1 Gbps, delay: 1 ns}]\n",
      "5:", "neighbour");
  expect_fault(star + "ranks: {hosts: [0, 4]}\n", "5:", "node 4 is no host");
  expect_fault(star + "ranks: {hosts: [0, 0]}\n", "5:", "node 0 has a rank already");
  expect_fault(star + "ranks: {dimensions: [3, 2]}\n", "5:", "product is 6");
  expect_fault(star + "transport: {congestion: dcqcn}\n", "", "no thresholds for ports of 50 GB/s");
  expect_fault(star + "switches: {ecn: [{rate: 400 Gbps, kmin: 2 KB, kmax: 1 KB}]}\n", "5:", "kmin exceeds kmax");
  expect_fault(star + "failures: [{between: [0, 1], down: 1 us}]\n", "5:", "no cable");
  expect_fault(star + "failures: [{between: [0, 4], down: 2 us, up: 1 us}]\n", "5:", "not after");
  expect_fault(star + "colour: red\n", "5:", "colour");
}

TEST(PacketTopologies, RanksMapToHostsByTheFile) {
  const NetworkYaml n = parse_network_yaml(star + "ranks: {hosts: [3, 1], dimensions: [2]}\n", "t.yaml");
  EXPECT_EQ(n.logical.hosts, (std::vector<int>{3, 1}));
  EXPECT_EQ(n.logical.dimensions, std::vector<std::uint32_t>{2});
  const NetworkYaml first = parse_network_yaml(star + "ranks: {dimensions: [3]}\n", "t.yaml");
  EXPECT_EQ(first.logical.hosts, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace tutti::net::packet
