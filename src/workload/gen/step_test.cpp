#include "workload/gen/step.h"

#include <gmock/gmock.h>

#include <set>

#include "base/error.h"

namespace tutti::workload::gen {
namespace {

using testing::ElementsAre;

struct Sums {
  std::uint64_t ops = 0, sent = 0;
  std::map<CollectiveKind, std::uint64_t> collective;
  std::map<std::string, std::uint64_t> of_name;  ///< comm_size by the last part of a name
  std::uint64_t computes = 0, collectives = 0, sends = 0, receives = 0;
};

Sums sums(const std::vector<NodeSpec>& nodes) {
  Sums s;
  for (const NodeSpec& n : nodes) {
    if (n.type == NodeType::comp) s.ops += *n.num_ops, ++s.computes;
    if (n.type == NodeType::comm_send) s.sent += static_cast<std::uint64_t>(*n.comm_size), ++s.sends;
    if (n.type == NodeType::comm_recv) ++s.receives;
    if (n.type == NodeType::comm_coll) {
      ++s.collectives;
      s.collective[*n.collective] += static_cast<std::uint64_t>(*n.comm_size);
      s.of_name[n.name.substr(n.name.rfind('.') + 1)] += static_cast<std::uint64_t>(*n.comm_size);
    }
  }
  return s;
}

StepSpec spec(const char* name, std::uint32_t tp, std::uint32_t pp, std::uint32_t dp, std::uint32_t ep = 1) {
  StepSpec s;
  s.model = model(name);
  s.tp = tp;
  s.dp = dp;
  s.ep = ep;
  s.pipeline = {Schedule::one_f_one_b, pp, 8, 1};
  s.check();
  return s;
}

// Counts of the published checkpoints (llama, mixtral: exact; gpt3: 174.6e9 without positions and biases).
TEST(Models, HaveTheWeightsOfThePublishedOnes) {
  EXPECT_EQ(model("llama2-7b").weights(), 6'738'415'616U);
  EXPECT_EQ(model("llama2-13b").weights(), 13'015'864'320U);
  EXPECT_EQ(model("llama2-70b").weights(), 68'976'648'192U);
  EXPECT_EQ(model("llama3-8b").weights(), 8'030'261'248U);
  EXPECT_EQ(model("llama3-70b").weights(), 70'553'706'496U);
  EXPECT_EQ(model("llama3-405b").weights(), 405'853'388'800U);
  EXPECT_EQ(model("mixtral-8x7b").weights(), 46'702'792'704U);
  EXPECT_NEAR(static_cast<double>(model("gpt3-175b").weights()), 174.6e9, 0.1e9);
  EXPECT_THROW(model("gpt5"), ConfigError);
}

// Narayanan et al. 2021, section 5.1, without recomputation: 72 B s l h^2 (1 + s/6h + V/12lh).
TEST(Step, OperationsAreThoseOfTheClosedForm) {
  for (const auto& [tp, pp, dp] :
       {std::tuple(1U, 1U, 1U), std::tuple(8U, 1U, 1U), std::tuple(1U, 4U, 2U), std::tuple(4U, 8U, 2U)}) {
    const StepSpec s = spec("gpt3-6.7b", tp, pp, dp);
    const StepGroups groups(s);
    double ops = 0;
    for (std::uint32_t r = 0; r < s.ranks(); ++r) ops += static_cast<double>(sums(step_trace(s, groups, r)).ops);
    const double B = 8.0 * dp, S = 2048, l = 32, h = 4096, V = static_cast<double>(s.padded_vocabulary());
    EXPECT_NEAR(ops / (72 * B * S * l * h * h * (1 + S / (6 * h) + V / (12 * l * h))), 1, 1e-12);
  }
}

TEST(Step, TensorParallelRanksSumFourActivationsALayerAndMicrobatch) {
  StepSpec s = spec("gpt3-6.7b", 4, 2, 1);
  const std::uint64_t activation = 2048 * 4096 * 2;
  for (std::uint32_t r = 0; r < s.ranks(); ++r) {
    const Sums x = sums(step_trace(s, StepGroups(s), r));
    EXPECT_EQ(x.of_name.at("reduce"), 8 * 16 * 4 * activation);
  }
  s.sequence_parallel = true;
  const Sums y = sums(step_trace(s, StepGroups(s), 0));
  EXPECT_EQ(y.collective.at(CollectiveKind::reduce_scatter), 8 * 16 * 4 * activation);
  EXPECT_EQ(y.collective.at(CollectiveKind::all_gather), 8 * 16 * 4 * activation / 4);
  EXPECT_EQ(y.sent, 8 * activation / 4);
}

TEST(Step, PipelineRanksSendAnActivationAMicrobatchAndBoundary) {
  for (const std::uint32_t chunks : {1U, 2U}) {
    StepSpec s = spec("gpt3-6.7b", 1, 4, 1);
    s.pipeline = {chunks == 1 ? Schedule::one_f_one_b : Schedule::interleaved, 4, 8, chunks};
    std::uint64_t sends = 0, receives = 0, bytes = 0;
    for (std::uint32_t r = 0; r < 4; ++r) {
      const Sums x = sums(step_trace(s, StepGroups(s), r));
      sends += x.sends, receives += x.receives, bytes += x.sent;
    }
    EXPECT_EQ(sends, 2U * 8 * (4 * chunks - 1));
    EXPECT_EQ(receives, sends);
    EXPECT_EQ(bytes, sends * 2048 * 4096 * 2);
  }
}

TEST(Step, DataParallelRanksSumTheGradientsOfAllWeightsOnce) {
  for (const char* const name : {"gpt3-6.7b", "llama3-8b"}) {
    StepSpec s = spec(name, 1, 4, 2);
    std::uint64_t bytes = 0;
    for (std::uint32_t p = 0; p < 4; ++p) bytes += sums(step_trace(s, StepGroups(s), p)).of_name.at("grads");
    const ModelShape& m = s.model;
    // The last norm is left out. Tied weights lie on two stages, are summed over dp on both and then between them.
    const std::uint64_t copies = m.tied ? 4 : 2;
    const std::uint64_t layers = m.weights() - m.hidden - m.vocabulary * m.hidden * (m.tied ? 1 : 2);
    EXPECT_EQ(bytes, 2 * (layers + copies * s.padded_vocabulary() * m.hidden)) << name;
  }
}

TEST(Step, AShardedOptimizerScattersGradientsAndGathersWeights) {
  StepSpec s = spec("llama3-8b", 1, 1, 4);
  s.sharded_optimizer = true;
  const Sums x = sums(step_trace(s, StepGroups(s), 0));
  EXPECT_EQ(x.collective.count(CollectiveKind::all_reduce), 0U);
  EXPECT_EQ(x.collective.at(CollectiveKind::reduce_scatter), 4 * x.collective.at(CollectiveKind::all_gather));
}

TEST(Step, ExpertParallelRanksExchangeEachTokenFourTimesALayer) {
  const StepSpec s = spec("mixtral-8x7b", 1, 1, 1, 8);
  const Sums x = sums(step_trace(s, StepGroups(s), 3));
  // Forward and backward, out and back: two experts a token.
  EXPECT_EQ(x.collective.at(CollectiveKind::all_to_all), 8U * 32 * 4 * std::uint64_t{4096 * 4096 * 2 * 2});
  // Experts are different on each rank, so only the dense weights have sharers.
  const ModelShape& m = s.model;
  const std::uint64_t dense =
      32 * (m.attention_weights() + m.router_weights() + m.norm_weights()) + 2 * s.padded_vocabulary() * m.hidden;
  EXPECT_EQ(x.of_name.at("grads"), 2 * dense);
}

TEST(Step, CountsOfNodesAreThoseOfTheClosedForm) {
  const StepSpec s = spec("tiny", 2, 2, 2);
  const StepGroups groups(s);
  for (std::uint32_t r = 0; r < s.ranks(); ++r) {
    const Sums x = sums(step_trace(s, groups, r));
    EXPECT_EQ(x.computes, 8U * (2 * 4 + 2));  // forward and backward of 2 layers of 2 blocks, and embedding or logits
    EXPECT_EQ(x.collectives, 8U * 2 * 4 + 2 + 1 + 1);  // 4 a layer, 2 layers' gradients, embedding's, tied weights'
    EXPECT_EQ(x.sends, 8U);
  }
}

// The groups of seed 2: PP {0, 1}, {2, 3}; DP {0, 2}, {1, 3}.
TEST(Step, FourRanksOfSeedTwoHaveItsGroups) {
  StepSpec s = spec("tiny", 1, 2, 2);
  s.one_tag = true;
  const StepGroups groups(s);
  EXPECT_THAT(groups.groups(),
              ElementsAre(ElementsAre(0U, 2U), ElementsAre(1U, 3U), ElementsAre(0U, 1U), ElementsAre(2U, 3U)));
  std::set<std::int32_t> tags;
  for (const NodeSpec& n : step_trace(s, groups, 1)) {
    if (n.type == NodeType::comm_recv) {
      EXPECT_EQ(*n.comm_src, 0);
      EXPECT_TRUE(n.data_deps.empty());  // all can be outstanding at once
    }
    if (n.comm_tag) tags.insert(*n.comm_tag);
  }
  EXPECT_THAT(tags, ElementsAre(0));
}

TEST(Step, RanksAndPlacesAreEachOthersInverse) {
  StepSpec s = spec("tiny-moe", 2, 2, 3, 4);
  for (const auto& order : {std::array{Axis::tensor, Axis::expert, Axis::pipeline, Axis::data},
                            std::array{Axis::data, Axis::pipeline, Axis::tensor, Axis::expert}}) {
    s.order = order;
    for (std::uint32_t r = 0; r < s.ranks(); ++r) EXPECT_EQ(rank_of(s, place_of(s, r)), r);
  }
}

TEST(Step, SizesThatDoNotDivideAreRefused) {
  EXPECT_THROW(spec("tiny", 3, 1, 1), ConfigError);
  EXPECT_THROW(spec("tiny", 1, 5, 1), ConfigError);
  EXPECT_THROW(spec("tiny", 1, 1, 1, 2), ConfigError);
  EXPECT_THROW(spec("tiny-moe", 1, 1, 1, 3), ConfigError);
  StepSpec s = spec("gpt-1t", 1, 1, 1);
  s.sequence = 1U << 30;
  EXPECT_THROW(s.check(), ConfigError);
  s = spec("tiny", 1, 1, 1);
  s.order = {Axis::tensor, Axis::tensor, Axis::pipeline, Axis::data};
  EXPECT_THROW(s.check(), ConfigError);
}

TEST(Step, LayersThatDoNotDivideGoToTheFirstStages) {
  const StepSpec s = spec("llama3-405b", 1, 4, 1);
  EXPECT_EQ(s.layers_of(0) + s.layers_of(1) + s.layers_of(2) + s.layers_of(3), 126U);
  EXPECT_EQ(s.layers_of(1), 32U);
  EXPECT_EQ(s.layers_of(2), 31U);
}

}  // namespace
}  // namespace tutti::workload::gen
