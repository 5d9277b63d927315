#include "workload/system_config.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::workload {
namespace {

SystemConfig read(const std::string& text, std::size_t dimensions = 1, bool astra = false, double scale = 1) {
  return parse_system(text, "system.json", dimensions, scale, astra ? Rules::astra_sim() : Rules::tutti());
}
std::string fault(const std::string& text, std::size_t dimensions = 1, bool astra = false) {
  try {
    read(text, dimensions, astra);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SystemConfig, ReadsEveryKey) {
  const SystemConfig c = read(
      R"({"scheduling-policy": "FIFO", "collective-optimization": "localBWAware", "endpoint-delay": 12, "active-chunks-per-dimension": 3,
    "preferred-dataset-splits": 5, "all-reduce-implementation": ["ring", "direct4"], "all-gather-implementation": ["oneHalvingDoubling"],
    "all-to-all-implementation-custom": ["some/prefix"], "local-mem-bw": 33.5, "peak-perf": 900, "roofline-enabled": 1, "replay-only": true})",
      2, false, 1.5);
  EXPECT_EQ(c.scheduling, SystemConfig::Scheduling::fifo);
  EXPECT_TRUE(c.local_bw_aware && c.roofline && c.replay_only);
  EXPECT_EQ(std::tuple(c.endpoint_delay_ns, c.active_chunks, c.splits), std::tuple(18U, 3U, 5U));
  const auto& reduce = c.of(CollectiveOp::all_reduce).dimensions;
  ASSERT_EQ(reduce.size(), 2U);
  EXPECT_EQ(std::pair(reduce[1].kind, reduce[1].window), std::pair(Algorithm::direct, 4U));
  EXPECT_TRUE(c.of(CollectiveOp::all_gather).dimensions.at(0).one_dimension);
  EXPECT_EQ(c.of(CollectiveOp::all_to_all).custom, "some/prefix");
  EXPECT_DOUBLE_EQ(c.local_mem_bw, 33.5);
}

TEST(SystemConfig, EveryParameterHasABadValueThatIsRefusedByName) {
  const char* const bad[][2] = {{"scheduling-policy", "\"lifo\""},
                                {"collective-optimization", "\"fast\""},
                                {"endpoint-delay", "-1"},
                                {"endpoint-delay", "\"10\""},
                                {"active-chunks-per-dimension", "0"},
                                {"active-chunks-per-dimension", "1.5"},
                                {"preferred-dataset-splits", "0"},
                                {"all-reduce-implementation", "\"ring\""},
                                {"all-reduce-implementation", "[]"},
                                {"all-gather-implementation", "[\"rign\"]"},
                                {"reduce-scatter-implementation", "[\"directfoo\"]"},
                                {"reduce-scatter-implementation", "[\"direct0\"]"},
                                {"all-to-all-implementation", "[\"ring\", \"ring\"]"},
                                {"all-to-all-implementation-custom", "[\"a\", \"b\"]"},
                                {"per-node-custom-implementation", "\"/no/such/file.yml\""},
                                {"local-mem-bw", "0"},
                                {"peak-perf", "-2"},
                                {"roofline-enabled", "1"},
                                {"replay-only", "2"},
                                {"model-shared-bus", "1"},
                                {"track-local-mem", "1"},
                                {"made-up", "1"}};
  for (const auto& [key, value] : bad) {
    const std::string text = fault("{\n  \"" + std::string(key) + "\": " + value + "\n}");
    EXPECT_TRUE(says(text, "system.json:2:3: error:") && says(text, key)) << key << " " << value << ": " << text;
  }
}

TEST(SystemConfig, AllFaultsAreListedAndSyntaxErrorsHaveALine) {
  const std::string two = fault("{\"endpoint-delay\": -1,\n \"peak-perf\": \"x\"}");
  EXPECT_TRUE(says(two, "system.json:1:2") && says(two, "system.json:2:2")) << two;
  EXPECT_TRUE(says(fault("{\n \"endpoint-delay\": 1,,\n}"), "system.json:2:"))
      << fault("{\n \"endpoint-delay\": 1,,\n}");
  EXPECT_TRUE(says(fault("{\"peak-perf\": 1, \"peak-perf\": 2}"), "twice"));
  EXPECT_TRUE(says(fault("[]"), "a JSON object is needed"));
}

TEST(SystemConfig, AstraSemanticsIsAsLooseAsTheFormat) {
  const SystemConfig c = read(
      R"({"preferred-dataset-splits": 2.9, "endpoint-delay": 10.7, "replay-only": false, "foo": 3, "all-reduce-implementation": ["ring"]})",
      3, true, 2);
  EXPECT_EQ(std::tuple(c.splits, c.endpoint_delay_ns, c.replay_only, c.warnings.size()), std::tuple(2U, 20U, true, 1U));
  EXPECT_TRUE(says(fault("{}", 1, true), "preferred-dataset-splits is missing"));
  EXPECT_TRUE(says(fault(R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring", "ring"]})", 1, true),
                   "2 entries for a network of 1 dimensions"));
}

TEST(AlgorithmName, NamesGoBothWays) {
  for (const char* name : {"ring", "direct", "direct7", "halvingDoubling", "doubleBinaryTree", "oneRing", "oneDirect",
                           "oneDirect12", "oneHalvingDoubling"}) {
    AlgorithmChoice c;
    std::string why;
    ASSERT_TRUE(parse(name, c, why)) << why;
    EXPECT_EQ(to_string(c), name);
  }
}

}  // namespace
}  // namespace tutti::workload
