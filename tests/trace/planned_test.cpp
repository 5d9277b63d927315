// Collectives of traces through the plan layer: times against a closed form, bytes against the schedule, roots and faults.
#include <gtest/gtest.h>

#include "case.h"
#include "plan/algorithm.h"

namespace tutti::workload {
namespace {

using K = CollectiveKind;
using Status = RunResult::Status;
constexpr std::int64_t KiB = 1 << 10, MiB = 1 << 20;

std::string system_with(const std::string& kind, const std::string& algorithm, int splits = 1) {
  return "{\"" + kind + "-implementation\": [\"" + algorithm + "\"], \"local-mem-bw\": 50, \"endpoint-delay\": 10, \"preferred-dataset-splits\": " + std::to_string(splits) + "}";
}

struct Planned : Case {
  Planned(std::uint32_t ranks, const std::string& kind, const std::string& algorithm, int splits = 1) : Case(network_text("FullyConnected", std::to_string(ranks))) {
    settings.astra = false;
    system = system_with(kind, algorithm, splits);
  }
};

struct Kind {
  const char* name;
  K collective;
  plan::CollectiveKind plan;
  bool own_part;
};
constexpr Kind kinds[] = {{"all-reduce", K::all_reduce, plan::CollectiveKind::all_reduce, false}, {"all-gather", K::all_gather, plan::CollectiveKind::all_gather, true},
                          {"reduce-scatter", K::reduce_scatter, plan::CollectiveKind::reduce_scatter, false}, {"all-to-all", K::all_to_all, plan::CollectiveKind::all_to_all, false},
                          {"broadcast", K::broadcast, plan::CollectiveKind::broadcast, false}, {"reduce", K::reduce, plan::CollectiveKind::reduce, false},
                          {"gather", K::gather, plan::CollectiveKind::gather, true}, {"scatter", K::scatter, plan::CollectiveKind::scatter, false},
                          {"barrier", K::barrier, plan::CollectiveKind::barrier, false}};

TEST(Planned, ARingAllReduceTakesItsClosedForm) {
  for (const std::uint32_t n : {2U, 3U, 8U}) {
    Planned c(n, "all-reduce", "plan:ring_all_reduce");
    const std::int64_t bytes = n * 300 * KiB;
    all_ranks(c, n, K::all_reduce, bytes);
    // 2 (n - 1) rounds: an endpoint step at each end, latency, a block on the wire; in half of them 3 passes over the block.
    const double block = static_cast<double>(bytes / n);
    const double wire = 500 + block / (50 * 1.073741824), passes = 3 * block / 50;
    for (const double t : c.finishes()) EXPECT_NEAR(t, 2.0 * (n - 1) * (2 * 10 + wire) + (n - 1) * passes, 0.001 * 4 * n);
  }
}

TEST(Planned, EveryAlgorithmMovesTheBytesOfItsScheduleForAnyNumberOfRanks) {
  unsigned run = 0;
  for (const Kind& kind : kinds)
    for (const plan::Algorithm& a : plan::algorithms()) {
      if (a.kind != kind.plan) continue;
      for (const std::uint32_t n : {2U, 3U, 4U, 7U, 8U})
        for (const std::int64_t bytes : {1L, 5L, 4099L}) {
          plan::Collective whole;
          whole.kind = kind.plan;
          whole.ranks = static_cast<int>(n);
          whole.count = kind.own_part ? bytes * n : bytes;
          if (kind.plan == plan::CollectiveKind::barrier) whole.count = 0;
          if (a.unfit && !a.unfit(whole, plan::effective_parameters(a, {})).empty()) continue;
          const plan::Traffic traffic = plan::traffic(plan::make_schedule(a, whole));
          Planned c(n, kind.name, "plan:" + std::string(a.name));
          c.settings.backend = n % 2 ? "aware" : "unaware";
          all_ranks(c, n, kind.collective, bytes);
          const RunResult r = c.run();
          ASSERT_EQ(r.status, Status::completed) << a.name << " " << n << " ranks " << bytes << " bytes";
          for (std::uint32_t i = 0; i < n; ++i) {
            ASSERT_EQ(r.ranks[i].bytes_sent, static_cast<std::uint64_t>(traffic.sent[i])) << a.name;
            ASSERT_EQ(r.ranks[i].bytes_received, static_cast<std::uint64_t>(traffic.received[i])) << a.name;
          }
          ++run;
        }
    }
  EXPECT_GE(run, 15U);
}

TEST(Planned, ChunksAndGroupsWork) {
  Planned c(6, "all-reduce", "plan:ring_all_reduce channels=2 directions=2", 3);
  c.groups = R"({"odd": [5, 1, 3]})";
  for (std::uint32_t r = 0; r < 6; ++r) {
    c.nodes[r] = {collective(1, K::all_reduce, 3 * 6 * 4 * KiB)};
    if (r % 2 == 0) continue;
    c.nodes[r].push_back(collective(2, K::all_reduce, 288 * KiB, {}));
    c.nodes[r].back().pg_name = "odd";
  }
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::completed);
  EXPECT_EQ(r.ranks[0].bytes_sent, 2U * 5 * 3 * 4 * KiB);
  EXPECT_EQ(r.ranks[1].bytes_sent, 2U * 5 * 3 * 4 * KiB + 2U * 2 * 96 * KiB);
}

TEST(Planned, FaultsOfTheSystemFileAreNamed) {
  const auto fault = [](const std::string& kind, const std::string& algorithm, bool astra = false) {
    Planned c(4, kind, algorithm);
    c.settings.astra = astra;
    all_ranks(c, 4, K::all_reduce, KiB);
    return c.error();
  };
  EXPECT_NE(fault("all-reduce", "plan:ring").find("unknown algorithm 'ring'; known: "), std::string::npos);
  EXPECT_NE(fault("all-reduce", "plan:ring_all_reduce channels=x").find("parameter=number is needed"), std::string::npos);
  EXPECT_NE(fault("all-reduce", "plan:ring_all_reduce chanels=2").find("no parameter 'chanels'"), std::string::npos);
  EXPECT_NE(fault("all-gather", "plan:ring_all_reduce").find("does all_reduce"), std::string::npos);
  EXPECT_NE(fault("broadcast", "ring").find("give plan:<name>"), std::string::npos);
  EXPECT_NE(fault("all-reduce", "plan:ring_all_reduce", true).find("unknown to ASTRA-sim"), std::string::npos);
}

}  // namespace
}  // namespace tutti::workload
