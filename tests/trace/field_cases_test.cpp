// Faults that users of such simulators reported (issue threads), as small traces: whatever kind of fault a case shows, it is
// to be impossible here. The numbers are those of docs/semantics.md, "field cases".
#include <gtest/gtest.h>

#include <algorithm>

#include "case.h"

namespace tutti::workload {
namespace {

using K = CollectiveKind;
using Status = RunResult::Status;
constexpr std::int64_t KiB = 1 << 10, MiB = 1 << 20;

struct Machine4 : Case {
  explicit Machine4(std::uint32_t ranks = 4) : Case(network_text("FullyConnected", std::to_string(ranks))) {
    settings.astra = false;
    system = SystemText{}.text();
    for (std::uint32_t r = 0; r < ranks; ++r) nodes[r] = {compute(99, 0)};
  }
};
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FieldCases, A1TwoReceivesOfOneKeyCompleteInPostedOrder) {
  Machine4 c;
  c.nodes[0] = {send(1, 1, KiB, 7), send(2, 1, 3 * KiB, 7)};
  c.nodes[1] = {receive(1, 0, KiB, 7), receive(2, 0, 3 * KiB, 7), compute(3, 100, {1})};
  // The compute after the first receive starts with the first message, not with the second.
  EXPECT_NEAR(c.finishes()[1], 500 + 1024 / 53.6870912 + 100000, 0.001);
  c.nodes[1] = {receive(1, 0, KiB, 7), receive(2, 0, 3 * KiB, 7), receive(3, 0, KiB, 7)};
  const RunResult r = c.run();
  ASSERT_EQ(r.unmatched.size(), 1U);
  EXPECT_EQ(*r.unmatched[0].node, 3U);
  c.nodes[1] = {compute(1, 500), receive(2, 0, KiB, 7, {1}), receive(3, 0, 3 * KiB, 7, {1})};
  EXPECT_EQ(c.finishes()[1], 500000);
}

TEST(FieldCases, A2AMessageBeforeItsReceiveIsKept) {
  Machine4 c;
  c.nodes[0] = {send(1, 1, KiB)};
  c.nodes[1] = {compute(1, 1000), receive(2, 0, KiB, 0, {1})};
  EXPECT_EQ(c.finishes()[1], 1000000);
}

TEST(FieldCases, A3DifferentSizesNameBothNodes) {
  Machine4 c(2);
  c.settings.matching = match::Policy::message;
  c.nodes[0] = {send(11, 1, 3072)};
  c.nodes[1] = {receive(22, 0, 2048)};
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::mismatch);
  EXPECT_TRUE(says(r.size_errors.at(0), "node 11") && says(r.size_errors.at(0), "node 22"));
}

TEST(FieldCases, A5TagsCountUnlessOrderAloneIsAskedFor) {
  Machine4 c(2);
  c.nodes[0] = {send(1, 1, KiB, 1), send(2, 1, 2 * KiB, 2, {1})};
  c.nodes[1] = {receive(1, 0, 2 * KiB, 2), receive(2, 0, KiB, 1, {1})};
  for (const auto policy : {match::Policy::stream, match::Policy::message}) {
    c.settings.matching = policy;
    EXPECT_EQ(c.run().status, Status::completed);
  }
  c.settings.ignore_tags = true;
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::mismatch);
  ASSERT_EQ(r.size_errors.size(), 2U);
  EXPECT_TRUE(says(r.size_errors[0], "rank 0 node 1 sends 1024 bytes")) << r.size_errors[0];
  EXPECT_TRUE(says(r.size_errors[0], "rank 1 node 1 receives 2048")) << r.size_errors[0];
  // Same sizes, other tags: only order meets.
  c.nodes[1] = {receive(1, 0, KiB, 8), receive(2, 0, 2 * KiB, 9, {1})};
  EXPECT_EQ(c.run().status, Status::completed);
  c.settings.ignore_tags = false;
  EXPECT_EQ(c.run().status, Status::incomplete);
}

TEST(FieldCases, A6SymmetricRendezvousIsReportedWithItsCircle) {
  Machine4 c(2);
  for (std::int32_t r = 0; r < 2; ++r) c.nodes[static_cast<std::uint32_t>(r)] = {send(1, 1 - r, MiB), receive(2, 1 - r, MiB, 0, {1})};
  EXPECT_EQ(c.run().status, Status::completed);
  c.settings.rendezvous = true;
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::incomplete);
  EXPECT_EQ(r.cycle, (std::vector<std::string>{"rank 0", "rank 1"}));
  EXPECT_EQ(r.unmatched.at(0).kind, "send");
}

TEST(FieldCases, A8ACollectiveOfNoBytesFreesItsChildren) {
  Machine4 c;
  for (std::uint32_t r = 0; r < 4; ++r) c.nodes[r] = {compute(1, 1), collective(2, K::all_reduce, 0, {1}), compute(3, 1, {2})};
  EXPECT_EQ(c.finishes(), std::vector<double>(4, 2000));
}

TEST(FieldCases, A9SizesBeyond32BitsTakeLinearTime) {
  for (const bool astra : {false, true})
    for (const std::int64_t bytes : {std::int64_t{2147483647}, std::int64_t{2147483648}, std::int64_t{4294967295}, std::int64_t{4294967296}, std::int64_t{7011827712}, std::int64_t{1} << 45}) {
      Machine4 c(2);
      c.settings.astra = astra;
      c.nodes[0] = {send(1, 1, bytes)};
      c.nodes[1] = {receive(1, 0, bytes)};
      const RunResult r = c.run();
      EXPECT_NEAR(r.ranks[1].finish->ns(), 500 + static_cast<double>(bytes) / 53.6870912, 1) << bytes;
      EXPECT_EQ(r.ranks[1].bytes_received, static_cast<std::uint64_t>(bytes));
    }
  Machine4 huge(2);
  huge.nodes[0] = {send(1, 1, INT64_MAX)};
  huge.nodes[1] = {receive(1, 0, INT64_MAX)};
  EXPECT_TRUE(says(huge.error(), "more than simulated time holds"));
  for (const bool astra : {false, true}) {  // sums of times end with an error as well
    Machine4 long_run(2);
    long_run.settings.astra = astra;
    long_run.settings.backend = "aware";
    for (std::uint64_t i = 1; i <= 4; ++i) long_run.nodes[0].push_back(compute(100 + i, 2'000'000'000'000, {i == 1 ? 99 : 99 + i}));
    EXPECT_TRUE(says(long_run.error(), "53 days")) << long_run.error();
  }
}

TEST(FieldCases, A11UnequalNumbersOfSendsAndReceivesAreTallied) {
  Machine4 c(2);
  c.nodes[0] = {send(1, 1, KiB), send(2, 1, KiB), send(3, 1, KiB)};
  c.nodes[1] = {receive(1, 0, KiB), receive(2, 0, KiB)};
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::incomplete);
  EXPECT_EQ(std::tuple(r.unmatched.at(0).kind, r.unmatched.at(0).bytes_arrived), std::tuple("bytes", std::uint64_t{KiB}));
}

TEST(FieldCases, B1TheTreeEndsForAnyNumberOfRanksAndAnyOrderOfArrival) {
  for (std::uint32_t n = 2; n <= 17; ++n)
    for (const bool late : {false, true}) {
      Machine4 c(n);
      c.system = SystemText{.algorithms = "\"doubleBinaryTree\"", .splits = 3, .active = 2}.text();
      for (std::uint32_t r = 0; r < n; ++r) c.nodes[r] = {compute(1, late ? r * 100 % 700 : 0), collective(2, K::all_reduce, MiB, {1})};
      EXPECT_EQ(c.run().status, Status::completed) << n;
    }
}

TEST(FieldCases, B2EveryAlgorithmSendsTheBytesOfItsClosedForm) {
  const std::uint64_t d = 1000003;
  for (const std::uint64_t n : {2U, 3U, 4U, 7U, 8U})
    for (const char* algorithm : {"ring", "direct", "direct2", "halvingDoubling", "doubleBinaryTree"})
      for (const K kind : {K::all_reduce, K::all_gather, K::reduce_scatter, K::all_to_all}) {
        const std::string name = algorithm;
        if (name == "halvingDoubling" && ((n & (n - 1)) != 0 || kind == K::all_to_all)) continue;
        if (name == "doubleBinaryTree" && kind != K::all_reduce) continue;
        Machine4 c(static_cast<std::uint32_t>(n));
        c.system = SystemText{.algorithms = "\"" + name + "\"", .splits = 3}.text();
        all_ranks(c, static_cast<std::uint32_t>(n), kind, static_cast<std::int64_t>(d));
        const RunResult r = c.run();
        ASSERT_EQ(r.status, Status::completed) << name << n;
        std::uint64_t total = 0, most = 0;
        for (const RankResult& one : r.ranks) {
          total += one.bytes_sent;
          most = std::max(most, one.bytes_sent);
        }
        // Of all ranks together. All-to-all: each rank has n blocks and keeps its own; by ring each block goes 1 to n - 1 hops.
        const std::uint64_t all_to_all = name == "ring" ? d * (n * (n - 1) / 2) : (n - 1) * d;
        const std::uint64_t expected = kind == K::all_reduce ? 2 * (n - 1) * d : kind == K::all_gather ? n * (n - 1) * d : kind == K::reduce_scatter ? (n - 1) * d : all_to_all;
        EXPECT_EQ(total, expected) << name << " " << to_string(kind) << " " << n;
        if (kind == K::all_reduce) {
          EXPECT_LE(most, 2 * d + 8) << name << n;
        }
      }
}

TEST(FieldCases, B5RanksAreInSeveralGroupsAtOnce) {
  Machine4 c;
  c.groups = R"({"tp0": [0, 1], "tp1": [2, 3], "dp0": [0, 2], "dp1": [1, 3]})";
  c.settings.slots.comm = 2;
  for (std::uint32_t r = 0; r < 4; ++r) {
    c.nodes[r] = {collective(1, K::all_reduce, MiB), collective(2, K::all_reduce, MiB)};
    c.nodes[r][0].pg_name = r < 2 ? "tp0" : "tp1";
    c.nodes[r][1].pg_name = r % 2 == 0 ? "dp0" : "dp1";
  }
  EXPECT_EQ(c.run().status, Status::completed);
}

TEST(FieldCases, B7EveryAlgorithmForAnyNumberOfRanksEndsOrIsRefusedByName) {
  for (std::uint32_t n = 2; n <= 33; ++n)
    for (const char* algorithm : {"ring", "direct", "direct3", "halvingDoubling", "doubleBinaryTree"}) {
      Machine4 c(n);
      c.system = SystemText{.algorithms = std::string("\"") + algorithm + "\"", .splits = 2}.text();
      all_ranks(c, n, K::all_reduce, 12345);
      const std::string error = c.error();
      if (!error.empty()) {
        EXPECT_TRUE(says(error, "power of two") && says(algorithm, "halving") && (n & (n - 1)) != 0) << error;
      } else {
        EXPECT_EQ(c.run().status, Status::completed);
      }
    }
}

TEST(FieldCases, B8EqualCollectivesTakeEqualTimes) {
  Machine4 c(24);
  all_ranks(c, 24, K::all_reduce, 24 * 40000);
  const double once = c.finishes()[0];
  for (auto& [rank, nodes] : c.nodes)
    for (std::uint64_t k = 2; k <= 10; ++k) nodes.push_back(collective(k, K::all_reduce, 24 * 40000, {k - 1}));
  EXPECT_NEAR(c.finishes()[23], 10 * once, 1e-3);
}

TEST(FieldCases, B9FewBytesOnManyRanksAndChunksWork) {
  for (const std::int64_t bytes : {1, 3, 4, 7, 46})
    for (const K kind : {K::all_reduce, K::all_gather, K::reduce_scatter, K::all_to_all}) {
      Machine4 c(8);
      c.system = SystemText{.splits = 4, .active = 2}.text();
      c.settings.queues_per_dimension = 4;
      all_ranks(c, 8, kind, bytes);
      EXPECT_EQ(c.run().status, Status::completed) << bytes;
    }
}

TEST(FieldCases, B10ABroadcastIsNotFree) {
  Machine4 c;
  for (const K kind : {K::broadcast, K::reduce, K::gather, K::scatter, K::barrier}) {
    all_ranks(c, 4, kind, MiB);
    c.settings.astra = true;
    EXPECT_EQ(says(c.error(), "is not supported"), kind != K::broadcast);
    c.settings.astra = false;
    // A rank's own MiB of a gather crosses the wire, and three MiB reach the root; a quarter of a scatter's MiB reaches each.
    const double wire = static_cast<double>(MiB) / (50 * 1.073741824);
    const std::vector<double> ends = c.finishes();
    EXPECT_GE(*std::max_element(ends.begin(), ends.end()), 500 + (kind == K::barrier ? 0 : kind == K::scatter ? wire / 4 : wire));
  }
}

TEST(FieldCases, B25C12MismatchedCollectivesAreReportedByNumberInTheirGroup) {
  Machine4 c(2);
  c.nodes[0] = {collective(1, K::all_reduce, MiB), collective(2, K::all_reduce, KiB, {1})};
  c.nodes[1] = {collective(5, K::all_reduce, KiB), collective(6, K::all_reduce, MiB, {5})};
  EXPECT_TRUE(says(c.error(), "collective 0 of group '' differs: rank 0 node 1 is all-reduce of 1048576 bytes, rank 1 node 5 is all-reduce of 1024")) << c.error();
}

TEST(FieldCases, C1C3BrokenTracesAndMissingFilesAreRefusedAtLoad) {
  Machine4 c;
  c.nodes[3] = {compute(1, 1, {999})};
  EXPECT_TRUE(says(c.error(), "999")) << c.error();
  c.nodes.erase(3);
  std::filesystem::remove(c.settings.workload + ".3.et");
  EXPECT_TRUE(says(c.error(), "w.3.et") && says(c.error(), "4 ranks")) << c.error();
  Machine4 more;
  more.nodes[4] = {compute(1, 1)};
  EXPECT_TRUE(says(more.error(), "w.4.et")) << more.error();
  Machine4 chain;
  for (std::uint64_t i = 1; i <= 100000; ++i) chain.nodes[0].push_back(compute(100 + i, 0, {i == 1 ? 99 : 99 + i}));
  chain.nodes[0][1].data_deps = {99};
  EXPECT_EQ(chain.run().status, Status::completed);
}

TEST(FieldCases, C6ACommunicationNodeOnTheCpuIsRefused) {
  Machine4 c;
  c.nodes[0] = {send(1, 1, 8)};
  c.nodes[0][0].is_cpu_op = true;
  EXPECT_TRUE(says(c.error(), "is_cpu_op"));
}

TEST(FieldCases, C7TimesComeFromIntervals) {
  Machine4 c(2);
  NodeSpec cpu = compute(1, 10);
  cpu.is_cpu_op = true;
  c.nodes[0] = {cpu, compute(2, 20), receive(3, 1, MiB)};
  c.nodes[1] = {compute(1, 10), send(2, 0, MiB, 0, {1})};
  const auto t = c.run().ranks[0].time;  // cpu 0..10, gpu 0..20, receive 0..30.03125
  EXPECT_EQ(std::tuple(t.compute(), t.overlap, t.exposed_comm, t.idle), std::tuple(Time::us(20), Time::us(20), Time::ps(10031250), Time()));
}

TEST(FieldCases, C14AllDimensionsTakePart) {
  Case c(network_text("Ring, Ring, Ring, Ring, Ring", "2, 2, 2, 2, 2", "50, 50, 50, 50, 50", "1, 1, 1, 1, 1"));
  c.settings.astra = false;
  c.settings.backend = "aware";
  c.system = SystemText{.algorithms = R"("ring", "ring", "ring", "ring", "ring")"}.text();
  all_ranks(c, 32, K::reduce_scatter, 320);
  for (const RankResult& r : c.run().ranks) EXPECT_EQ(r.bytes_sent, 160U + 80 + 40 + 20 + 10);
}

TEST(FieldCases, E1ARunThatIsEndedEarlySaysHowFarItCame) {
  Case c(network_text("Ring", "64"));
  c.settings.astra = false;
  c.settings.shortcuts = false;  // 64 ranks * 126 messages * 9 chunks: more than one look
  c.system = SystemText{.splits = 9}.text();
  all_ranks(c, 64, K::all_reduce, 64 * 9 * KiB);
  int looks = 0;
  std::string oldest;
  c.settings.watch = [&](const RunProgress& p) {
    EXPECT_EQ(p.nodes(), 64U);
    EXPECT_EQ(p.nodes_done(), 0U);
    EXPECT_EQ(p.events(), 65536U);
    oldest = p.oldest();
    return ++looks < 1;
  };
  const RunResult r = c.run();
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(oldest, "rank 0 node 1 'coll1', since 0 ns");
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_FALSE(r.ranks[0].finish);
  EXPECT_GT(r.ranks[0].bytes_sent, 0U);
}

TEST(FieldCases, E6ComputeTimesCanBeScaledByRank) {
  Machine4 c(3);
  for (auto& [rank, nodes] : c.nodes) nodes = {compute(1, 10)};
  c.settings.compute_scale.by_rank = {0.5, 2.25};
  EXPECT_EQ(c.finishes(), (std::vector<double>{5000, 22500, 10000}));
  c.settings.compute_scale = {1e9, {}};
  c.nodes[0] = {compute(1, 4'600'000'000)};
  EXPECT_TRUE(says(c.error(), "53 days"));
}

}  // namespace
}  // namespace tutti::workload
