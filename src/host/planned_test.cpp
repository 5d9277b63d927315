// Every planned algorithm on simulated PEs, with real data, a replay, and a reference that knows only the collective.
#include "host/planned.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "host/runtime.h"
#include "plan/algorithm.h"
#include "plan/samples.h"

namespace tutti::host {
namespace {

using memory::DType;

ccl::CclConfig config(const std::vector<std::string>& settings) {
  ConfigOverlay overlay;
  for (const auto& s : settings) overlay.add(s);
  return ccl::read_ccl_config("", overlay);
}

/// @return what is wrong; empty: nothing.
std::string run(const plan::Schedule& schedule, const ccl::CclConfig& ccl, DType t) {
  Runtime torch(fabric::profile("tiny"));
  torch.init_process_group("ahbm", ccl, schedule);
  PlanBuffers buffers = torch.plan_buffers(t);
  const plan::Collective& c = schedule.collective;
  const Buffers inputs = random_inputs(c, t, 5);
  for (int r = 0; r < c.ranks; ++r) buffers.write_input(r, inputs[static_cast<std::size_t>(r)]);
  torch.record();
  torch.run_schedule(buffers).wait();
  Buffers outputs;
  for (int r = 0; r < c.ranks; ++r) outputs.push_back(buffers.read_output(r));
  if (const auto difference = torch.replay_difference()) return "replay: " + *difference;
  return verify_planned(c, t, memory::ReduceOp::sum, inputs, outputs).mismatch.value_or("");
}

TEST(Planned, every_algorithm_moves_the_right_bytes_between_one_to_eight_pes) {
  Random random(11);
  const auto ccl = config({"defaults.slot_size=64", "defaults.n_slots=2"});
  int runs = 0;
  for (const plan::Algorithm& a : plan::algorithms())
    for (int ranks = 1; ranks <= 8; ++ranks)
      for (const std::int64_t count : {0, 1, 40 * ranks + 3}) {
        const auto s = plan::sample_schedule(a, plan::sample_collective(a.kind, ranks, count, random), {});
        if (!s) continue;
        ++runs;
        EXPECT_EQ(run(*s, ccl, DType::f16), "") << a.name << ' ' << ranks << " ranks " << count;
      }
  EXPECT_GE(runs, 900);
}

TEST(Planned, sixteen_pes_and_sampled_parameters_types_slots_and_memories) {
  Random random(12);
  for (const plan::Algorithm& a : plan::algorithms())
    for (int i = 0; i < 4; ++i) {
      const int ranks = 9 + static_cast<int>(random.below(8));
      const DType t = std::array{DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32}[random.below(5)];
      const auto s = plan::sample_schedule(
          a, plan::sample_collective(a.kind, ranks, static_cast<std::int64_t>(random.below(500)), random),
          plan::sample_parameters(a, random));
      const std::string slots = std::to_string(1 + random.below(8)), bytes = std::to_string(64 << random.below(3));
      const char* kind = std::array{"tcm", "sram", "hbm"}[random.below(3)];
      const char* mode = std::array{"fast_path", "link", "vc_mux", "piggyback"}[random.below(4)];
      if (!s || std::string_view(mode) == "link") continue;  // link and priority want a third channel on the machine
      const auto ccl =
          config({"defaults.slot_size=" + bytes, "defaults.n_slots=" + slots,
                  std::string("defaults.buffer_kind=") + kind, std::string("defaults.credit.mode=") + mode});
      EXPECT_EQ(run(*s, ccl, t), "") << a.name << ' ' << ranks << " ranks, " << slots << " slots of " << bytes << " in "
                                     << kind << ", credit " << mode;
    }
}

TEST(Planned, a_reference_that_is_wrong_by_one_element_is_named) {
  const plan::Collective c{plan::CollectiveKind::all_reduce, 3, 10, 0, {}, {}};
  const Buffers inputs = random_inputs(c, DType::i32, 1);
  Buffers outputs(3, std::vector<std::byte>(40));
  for (int r = 0; r < 3; ++r)
    for (std::int64_t i = 0; i < 10; ++i) {
      double sum = 0;
      for (const auto& in : inputs) sum += memory::load_as_double(DType::i32, in.data(), i);
      memory::store_double(DType::i32, outputs[static_cast<std::size_t>(r)].data(), i, sum);
    }
  EXPECT_FALSE(verify_planned(c, DType::i32, memory::ReduceOp::sum, inputs, outputs).mismatch);
  outputs[2][4 * 7] ^= std::byte{1};
  const auto wrong = verify_planned(c, DType::i32, memory::ReduceOp::sum, inputs, outputs).mismatch;
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->find("rank 2 element 7"), std::string::npos) << *wrong;
}

TEST(Planned, hardware_with_eight_ports_refuses_a_rank_with_more_peers_and_names_it) {
  const auto schedule =
      plan::make_schedule(plan::algorithm("one_shot_all_reduce"), {plan::CollectiveKind::all_reduce, 16, 8, 0, {}, {}});
  auto ccl = config({"defaults.algorithm=one_shot_all_reduce", "defaults.hw_strict=true", "defaults.slot_size=64"});
  Runtime torch(fabric::profile("tiny"));
  try {
    torch.init_process_group("ahbm", ccl, schedule);
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find("15 peers and channels; a PE has 8 ports"), std::string::npos) << e.what();
  }
  ccl.queue.hw_strict = false;
  EXPECT_EQ(run(schedule, ccl, DType::f32), "");
}

TEST(Planned, ccl_yaml_names_algorithms_of_the_plan_layer_with_their_parameters) {
  const auto c = ccl::parse_ccl_config(
      "defaults: {algorithm: mine}\nalgorithms: {mine: {module: plan:ring_all_reduce, parameters: {channels: 2}}}\n",
      "ccl.yaml");
  EXPECT_TRUE(c.is_plan());
  EXPECT_EQ(c.plan(), "ring_all_reduce");
  ASSERT_EQ(c.parameters.size(), 1u);
  EXPECT_EQ(run(planned_schedule(c, {plan::CollectiveKind::all_reduce, 5, 33, 0, {}, {}}), c, DType::i32), "");
  auto wrong = c;
  wrong.parameters = {{"chanels", 2}};
  EXPECT_THROW(planned_schedule(wrong, {plan::CollectiveKind::all_reduce, 5, 33, 0, {}, {}}), ConfigError);
}

}  // namespace
}  // namespace tutti::host
