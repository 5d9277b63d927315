// More of the faults of docs/field-cases.md, as small traces.
#include <gtest/gtest.h>

#include <algorithm>

#include "case.h"

namespace tutti::workload {
namespace {

using K = CollectiveKind;
using Status = RunResult::Status;
constexpr std::int64_t MiB = 1 << 20;
constexpr double rate = 53.6870912;  // 50 GB/s of 2^30, bytes a ns

struct Machine : Case {
  explicit Machine(const std::string& text) : Case(text) { settings.astra = false; }
};
double last(Case& c) {
  const std::vector<double> all = c.finishes();
  return *std::max_element(all.begin(), all.end());
}

TEST(FieldCases, B11ADirectAlgorithmSharesThePortOfItsRank) {
  // Seven parts leave and enter each port of a switch, whatever the algorithm: twice seven for an all-reduce.
  for (const char* algorithm : {"\"ring\"", "\"direct\""}) {
    Machine c(network_text("Switch", "8"));
    c.settings.backend = "aware";
    c.system = SystemText{.algorithms = algorithm, .endpoint = 0, .memory = "1000000000"}.text();
    all_ranks(c, 8, K::all_reduce, 8 * MiB);
    const double wire = 14 * static_cast<double>(MiB) / rate, took = last(c);
    EXPECT_GE(took, wire) << algorithm;
    EXPECT_LE(took, 1.15 * wire) << algorithm;
  }
}

TEST(FieldCases, B12TwoOrdersOfDimensionsFollowTheirClosedForm) {
  // An all-reduce of D, dimension by dimension: each of n ranks costs 2 (n - 1) (D / n / rate + latency).
  for (const auto& sizes : {std::vector<int>{2, 8}, std::vector<int>{8, 2}}) {
    Machine c(network_text("Ring, Ring", std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]), "50, 50", "100, 100"));
    c.system = SystemText{.algorithms = "\"ring\", \"ring\"", .endpoint = 0, .memory = "1000000000"}.text();
    all_ranks(c, 16, K::all_reduce, 16 * MiB);
    double expected = 0;
    for (const int n : sizes) expected += 2 * (n - 1) * (16.0 * MiB / n / rate + 100);
    EXPECT_NEAR(last(c) / expected, 1, 1e-3) << sizes[0];
  }
}

TEST(FieldCases, B24OppositeOrdersOfGroupsOnOneSlotAreACircle) {
  for (const std::uint32_t slots : {1U, 2U}) {
    Machine c(network_text("FullyConnected", "3"));
    c.system = SystemText{}.text();
    c.settings.slots.comm = slots;
    c.groups = R"({"a": [0, 1], "b": [1, 2], "c": [2, 0]})";
    const char* const order[3][2] = {{"a", "c"}, {"b", "a"}, {"c", "b"}};
    for (std::uint32_t r = 0; r < 3; ++r) {
      c.nodes[r] = {collective(1, K::all_reduce, MiB), collective(2, K::all_reduce, MiB)};
      c.nodes[r][0].pg_name = order[r][0];
      c.nodes[r][1].pg_name = order[r][1];
    }
    const RunResult result = c.run();
    EXPECT_EQ(result.status, slots == 1 ? Status::incomplete : Status::completed);
    EXPECT_EQ(result.waits.size(), slots == 1 ? 3U : 0U);
  }
}

TEST(FieldCases, B26EveryAlgorithmRunsOnOneAndTwoRanks) {
  for (const bool aware : {false, true})
    for (const char* shape : {"Ring", "FullyConnected", "Switch"})
      for (const char* algorithm : {"ring", "direct", "direct1", "halvingDoubling", "doubleBinaryTree"})
        for (const std::int64_t bytes : {0, 1, 3, 1 << 20}) {
          Machine c(network_text(shape, "2"));
          c.settings.backend = aware ? "aware" : "unaware";
          c.system = SystemText{.algorithms = std::string("\"") + algorithm + "\"", .splits = 2}.text();
          c.groups = R"({"one": [1]})";
          all_ranks(c, 2, K::all_reduce, bytes);
          c.nodes[1].push_back(collective(2, K::all_reduce, bytes, {1}));
          c.nodes[1][1].pg_name = "one";
          const RunResult r = c.run();
          EXPECT_EQ(r.status, Status::completed) << shape << algorithm << bytes;
          EXPECT_EQ(r.ranks[0].bytes_sent + r.ranks[1].bytes_sent, 2U * static_cast<std::uint64_t>(bytes)) << shape << algorithm << bytes;
        }
}

TEST(FieldCases, C11ABatchOfSendsAndReceivesIsAnAllToAll) {
  for (const std::uint32_t ranks : {2U, 3U, 5U}) {
    Machine c(network_text("FullyConnected", std::to_string(ranks)));
    c.settings.slots.comm = ranks - 1;
    for (std::uint32_t r = 0; r < ranks; ++r)
      for (std::uint32_t other = 0; other < ranks; ++other)
        if (other != r) {
          c.nodes[r].push_back(send(1 + other, static_cast<std::int32_t>(other), MiB));
          c.nodes[r].push_back(receive(101 + other, static_cast<std::int32_t>(other), MiB));
        }
    for (const double t : c.finishes()) EXPECT_NEAR(t, 500 + MiB / rate, 0.001) << ranks;
  }
}

}  // namespace
}  // namespace tutti::workload
