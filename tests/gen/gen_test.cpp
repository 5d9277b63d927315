// Generated sets pass every check and run to the end; pipelines take the time of their closed form.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "workload/check.h"
#include "workload/gen/simple.h"
#include "workload/gen/step.h"
#include "workload/runner.h"

namespace tutti::workload {
namespace {

namespace fs = std::filesystem;

class Generated : public testing::Test {
 protected:
  Generated() {
    std::string name = (fs::temp_directory_path() / "tutti-gen-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Generated() override { fs::remove_all(folder_); }

  template <class Make>
  void write(std::uint32_t ranks, const std::string& groups, Make make, Schema schema = Schema::v0_0_4) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      TraceWriter w(schema);
      for (const NodeSpec& n : make(r)) w.add(n);
      w.save(folder_ + "/w." + std::to_string(r) + ".et");
    }
    settings_ = {};
    settings_.workload = folder_ + "/w";
    settings_.network = folder_ + "/network.yml";
    settings_.comm_group = groups.empty() ? "" : folder_ + "/w.json";
    if (!groups.empty()) std::ofstream(settings_.comm_group) << groups;
    std::ofstream(settings_.network) << "topology: [Switch]\nnpus_count: [" << std::max(ranks, 2U)
                                     << "]\nbandwidth: [50]\nlatency: [0]\n";
    ranks_ = ranks;
  }

  /// Checks, runs on both analytical networks. @return makespans in ns.
  std::vector<double> run() {
    CheckSettings check;
    check.workload = settings_.workload;
    check.network = settings_.network;
    check.comm_group = settings_.comm_group;
    check.rendezvous = true;
    const CheckReport report = check_inputs(check);
    EXPECT_EQ(report.faults.text(), "");
    std::vector<double> makespans;
    for (const char* const backend : {"unaware", "aware"}) {
      settings_.backend = backend;
      const RunResult result = run_traces(settings_);
      EXPECT_EQ(result.status, RunResult::Status::completed) << backend;
      makespans.push_back(result.makespan.ns());
    }
    return makespans;
  }

  std::string folder_;
  RunSettings settings_;
  std::uint32_t ranks_ = 0;
};

TEST_F(Generated, StepsOfEverySplitPassTheChecksAndEnd) {
  struct Split {
    const char* model;
    std::uint32_t tp, ep, pp, dp, chunks;
    bool sequence_parallel, sharded, one_tag;
  };
  for (const Split& x :
       {Split{"tiny", 1, 1, 2, 2, 1, false, false, true}, Split{"tiny", 2, 1, 1, 1, 1, true, false, false},
        Split{"tiny", 4, 1, 2, 1, 2, false, true, false}, Split{"tiny", 1, 1, 4, 2, 1, false, true, true},
        Split{"tiny", 2, 1, 2, 2, 2, true, true, true}, Split{"tiny-moe", 1, 8, 1, 1, 1, false, false, false},
        Split{"tiny-moe", 2, 2, 2, 2, 1, true, false, true}, Split{"tiny-moe", 4, 2, 2, 1, 2, false, true, false}})
    for (const auto schedule : {gen::Schedule::gpipe, gen::Schedule::one_f_one_b, gen::Schedule::interleaved}) {
      if (x.chunks > 1 && schedule != gen::Schedule::interleaved) continue;
      gen::StepSpec s;
      s.model = gen::model(x.model);
      s.tp = x.tp, s.ep = x.ep, s.dp = x.dp;
      s.pipeline = {schedule, x.pp, 4, x.chunks};
      s.sequence_parallel = x.sequence_parallel, s.sharded_optimizer = x.sharded, s.one_tag = x.one_tag;
      s.check();
      const gen::StepGroups groups(s);
      write(s.ranks(), groups.groups().empty() ? "" : groups.json(),
            [&](std::uint32_t r) { return gen::step_trace(s, groups, r); });
      SCOPED_TRACE(std::string(x.model) + " " + std::string(to_string(schedule)) + " tp " + std::to_string(x.tp) +
                   " pp " + std::to_string(x.pp));
      run();
    }
}

// Narayanan et al. 2021, section 2.2: M (tf + tb) and a bubble of (p - 1) (tf + tb) / v.
TEST_F(Generated, PipelinesTakeTheTimeOfTheirClosedForm) {
  for (const std::uint32_t stages : {1U, 2U, 4U, 8U})
    for (const std::uint32_t chunks : {1U, 2U, 3U})
      for (const auto schedule : {gen::Schedule::gpipe, gen::Schedule::one_f_one_b, gen::Schedule::interleaved}) {
        if (chunks > 1 && (schedule != gen::Schedule::interleaved || stages == 1)) continue;
        gen::PipelineSpec s;
        s.pipeline = {schedule, stages, 2 * stages, chunks};
        s.bytes = 1;
        s.one_tag = chunks % 2 == 1;
        s.forward_us = 100, s.backward_us = 200;
        s.pipeline.check();
        write(std::max(stages, 2U), "",
              [&](std::uint32_t r) { return r < stages ? gen::pipeline_trace(s, r) : std::vector<NodeSpec>{}; });
        const double expected = 300e3 * (2.0 * stages * chunks + stages - 1);
        // Messages of a byte take a twentieth of a nanosecond a hop.
        for (const double ns : run())
          EXPECT_NEAR(ns, expected, 0.1 * 4 * stages * chunks + 1) << stages << " " << chunks;
      }
}

TEST_F(Generated, CollectivesOfEveryKindAndGroupEnd) {
  for (const auto kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
                          CollectiveKind::all_to_all})
    for (const std::uint32_t group : {0U, 2U, 4U}) {
      gen::CollectiveSpec s;
      s.kind = kind;
      s.group = group;
      s.count = 2;
      s.compute_us = 1;
      s.check();
      write(8, s.groups(), [&](std::uint32_t r) { return gen::collective_trace(s, r); });
      run();
    }
}

TEST_F(Generated, EverySchemaHoldsAStep) {
  gen::StepSpec s;
  s.model = gen::model("tiny");
  s.pipeline = {gen::Schedule::one_f_one_b, 2, 4, 1};
  s.dp = 1;
  s.model.tied = false;
  const gen::StepGroups groups(s);
  std::vector<double> first;
  for (const Schema schema : {Schema::v0_0_1, Schema::v0_0_2, Schema::v0_0_3, Schema::v0_0_4, Schema::v1_0_0}) {
    write(2, "", [&](std::uint32_t r) { return gen::step_trace(s, groups, r); }, schema);
    const auto ns = run();
    if (first.empty()) first = ns;
    EXPECT_EQ(ns, first);
  }
}

}  // namespace
}  // namespace tutti::workload
