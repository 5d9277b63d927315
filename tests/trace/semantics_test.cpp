// A test for each row of section G of the specification (docs/semantics.md lists them): what ASTRA-sim does, reproduced or
// refused in astra semantics, and what is right, in tutti semantics. Rows 35 to 39 are of the packet network.
// This file: rows 1 to 19.
#include <gtest/gtest.h>

#include <algorithm>

#include "four.h"

namespace tutti::workload {
namespace {

TEST(Semantics, G1PendingReceivesAreListedAndTheRunIsIncomplete) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[1] = {receive(7, 0, MiB, 5)};
    const RunResult r = c.run();
    EXPECT_EQ(r.status, Status::incomplete);
    ASSERT_EQ(r.unmatched.size(), 1U);
    const Unmatched& u = r.unmatched[0];
    EXPECT_EQ(std::tuple(u.kind, u.rank, *u.node, u.tag, u.source, u.bytes_expected, u.bytes_arrived), std::tuple("receive", 1U, 7U, 5U, 0U, std::uint64_t{MiB}, 0U));
    EXPECT_EQ(u.name, "receive7");
    ASSERT_EQ(r.waits.size(), 1U);
    EXPECT_EQ(*r.waits[0].on, 0U);
  }
}

TEST(Semantics, G2TwoOutstandingReceivesOfOneKeyBothComplete) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[0] = {send(1, 2, MiB, 7), send(2, 2, 2 * MiB, 7)};
    c.nodes[2] = {receive(1, 0, MiB, 7), receive(2, 0, 2 * MiB, 7)};
    EXPECT_EQ(c.run().status, Status::completed);
  }
}

TEST(Semantics, G3CollectivesOfGroupsLeaveTheDefaultGroupsCounterAlone) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.groups = R"({"1": [0, 1]})";
    for (std::uint32_t r = 0; r < 4; ++r) c.nodes[r] = {collective(2, K::all_reduce, MiB)};
    for (std::uint32_t r = 0; r < 2; ++r) {
      c.nodes[r] = {collective(1, K::all_reduce, MiB), collective(2, K::all_reduce, MiB, {1})};
      c.nodes[r][0].pg_name = "1";
    }
    // ASTRA-sim hangs: ranks 0 and 1 are a stream ahead. That is reported.
    const RunResult r = c.run();
    EXPECT_EQ(r.status, astra ? Status::incomplete : Status::completed);
    EXPECT_EQ(r.waits.empty(), !astra);
  }
}

TEST(Semantics, G4CollectivesThatDifferAcrossRanksNameBothNodes) {
  Four c(false);
  for (std::uint32_t r = 0; r < 4; ++r) c.nodes[r] = {collective(1, K::all_reduce, MiB)};
  c.nodes[3] = {collective(8, K::all_gather, MiB)};
  EXPECT_TRUE(says(c.error(), "rank 0 node 1 is all-reduce of 1048576 bytes, rank 3 node 8 is all-gather")) << c.error();
  c.nodes[3] = {collective(8, K::all_reduce, MiB + 4)};
  EXPECT_TRUE(says(c.error(), "1048580"));
  c.nodes[3] = {compute(8, 1)};
  const RunResult r = c.run();
  EXPECT_EQ(r.status, Status::incomplete);
  EXPECT_TRUE(says(r.waits.at(0).what, "3 of 4 ranks have issued it")) << r.waits.at(0).what;
  c.settings.astra = true;
  EXPECT_EQ(c.run().status, Status::incomplete);
}

TEST(Semantics, G5SendsAndReceivesOfDifferentSizes) {
  Four c(true);
  c.nodes[0] = {send(1, 1, 3000)};
  c.nodes[1] = {receive(1, 0, 2000)};
  RunResult r = c.run();
  EXPECT_EQ(r.status, Status::incomplete);  // ASTRA-sim never matches them
  EXPECT_TRUE(says(r.unmatched.at(0).hint, "3000 bytes with this tag came from node 1 and do not fit")) << r.unmatched.at(0).hint;
  c.settings.astra = false;
  r = c.run();  // a byte stream: 1000 are left over
  EXPECT_EQ(r.status, Status::incomplete);
  EXPECT_EQ(std::tuple(r.unmatched.at(0).kind, r.unmatched.at(0).bytes_arrived), std::tuple("bytes", 1000U));
  c.settings.matching = match::Policy::message;
  r = c.run();
  EXPECT_EQ(r.status, Status::mismatch);
  EXPECT_EQ(r.size_errors.at(0), "rank 0 node 1 sends 3000 bytes with tag 0, but rank 1 node 1 receives 2000");
}

TEST(Semantics, G6AMessageThatNobodyReceivesIsReported) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[0] = {send(1, 1, 3000)};
    const RunResult r = c.run();
    EXPECT_EQ(r.status, astra ? Status::completed : Status::incomplete);
    ASSERT_EQ(r.unmatched.size(), 1U);
    EXPECT_EQ(r.unmatched[0].kind, "bytes");
  }
}

TEST(Semantics, G7CyclesAndSelfDependenciesAreRefusedWithTheCircle) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[2] = {compute(1, 1), compute(5, 1, {7}), compute(7, 1, {6}), compute(6, 1, {5})};
    EXPECT_TRUE(says(c.error(), "w.2.et: error: ") && says(c.error(), "the dependencies go in a circle of 3 nodes: "))
        << c.error();
    c.nodes[2] = {compute(1, 1), compute(4, 1, {4})};
    EXPECT_TRUE(says(c.error(), astra ? "circle of 1 nodes: 4 -> 4" : "node 4 'comp4': depends on itself"));
  }
}

TEST(Semantics, G8ControlParentsCountDuplicatesAreHarmlessDanglingOnesAreRefused) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[0] = {compute(1, 1), compute(2, 2, {1, 1})};
    c.nodes[0][1].ctrl_deps = {1};
    EXPECT_EQ(c.finishes()[0], 3000);
    c.nodes[0][1].ctrl_deps = {55};
    EXPECT_TRUE(says(c.error(), "55")) << c.error();
  }
}

TEST(Semantics, G9NodesFreedWhileOthersAreIssuedStart) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    NodeSpec nothing = compute(1, 0);
    nothing.type = NodeType::invalid;
    c.nodes[0] = {nothing, compute(2, 3, {1})};
    const RunResult r = c.run();
    EXPECT_EQ(r.status, astra ? Status::incomplete : Status::completed);
    if (astra) {
      EXPECT_TRUE(says(r.waits.at(0).what, "never became free to start")) << r.waits.at(0).what;
    } else {
      EXPECT_EQ(*r.ranks[0].finish, Time::ns(3000));
    }
  }
}

TEST(Semantics, G10TruncatedFramesAndGarbageAreRefusedWithTheirOffset) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.run();
    const std::string path = c.settings.workload + ".3.et";
    std::ofstream(path, std::ios::binary | std::ios::app) << "\x7fzzz";
    try {
      run_traces(c.settings);
      FAIL();
    } catch (const std::exception& e) {
      EXPECT_TRUE(says(e.what(), "w.3.et") && says(e.what(), "byte")) << e.what();
    }
  }
}

TEST(Semantics, G11AFileThatStartsWithANodeKeepsItsFirstNode) {
  Four c(false);
  c.run();
  TraceWriter w(Schema::v0_0_4, false);
  w.add(compute(1, 5));
  w.add(compute(2, 5, {1}));
  w.save(c.settings.workload + ".3.et");
  try {
    EXPECT_EQ(*run_traces(c.settings).ranks[3].finish, Time::ns(10000));
  } catch (const std::exception& e) {  // or it is refused: never half read
    EXPECT_TRUE(says(e.what(), "metadata")) << e.what();
  }
}

TEST(Semantics, G12DuplicateNodeIdsAreRefused) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.nodes[0] = {compute(1, 1), compute(1, 2)};
    EXPECT_TRUE(says(c.error(), "duplicate")) << c.error();
  }
}

TEST(Semantics, G13AFaultInTheMiddleOfARunEndsIt) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    NodeSpec bad = compute(2, 0, {1});
    bad.type = NodeType::comm_coll;
    bad.collective = K::all_reduce;
    bad.comm_size = 8;
    bad.pg_name = "7";
    c.nodes[0] = {compute(1, 1), bad};
    EXPECT_TRUE(says(c.error(), "w.0.et: error: node 2 'comp2': unknown group '7'")) << c.error();
  }
}

TEST(Semantics, G14G15StatisticsHoldForEveryKindOfNodeAndAddUp) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    NodeSpec cpu = compute(1, 10);
    cpu.is_cpu_op = true;
    NodeSpec load = compute(4, 0, {2});
    load.type = NodeType::mem_load;
    load.tensor_size = 1000;
    c.memory = R"({"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 500, "remote-mem-bw": 1})";
    // cpu 0..10 us, gpu 0..20 us, receive 0..30.031 us (sent at 10 us), load 20..21.5 us, gpu again 40.031..45.031 us.
    c.nodes[0] = {cpu, compute(2, 20), receive(3, 1, MiB), load, compute(6, 10, {3}), compute(7, 5, {6})};
    c.nodes[0][4].is_cpu_op = true;
    c.nodes[1] = {compute(1, 10), send(2, 0, MiB, 0, {1})};
    const RunResult r = c.run();
    ASSERT_EQ(r.status, Status::completed);
    const auto& t = r.ranks[0].time;
    const Time arrival = astra ? Time::ns(30031) : Time::ps(30031250);
    EXPECT_EQ(t.comm, arrival);
    EXPECT_EQ(t.cpu, Time::us(20));
    EXPECT_EQ(t.gpu, Time::us(25));
    EXPECT_EQ(t.memory, Time::ns(1500));
    EXPECT_EQ(t.overlap, Time::us(20));
    EXPECT_EQ(t.exposed_comm, arrival - Time::us(20));
    EXPECT_EQ(t.compute_only, Time::us(15));
    EXPECT_EQ(t.idle, Time());
    EXPECT_EQ(t.compute_only + t.overlap + t.exposed_comm + t.memory_only + t.idle, *r.ranks[0].finish);
  }
}

TEST(Semantics, G16WithoutInvolvedDimAllDimensionsTakePart) {
  const std::string five = network_text("FullyConnected, FullyConnected, FullyConnected, FullyConnected, FullyConnected", "2, 2, 2, 2, 2", "50, 50, 50, 50, 50", "500, 500, 500, 500, 500");
  for (const bool astra : {true, false}) {
    Case c(five);
    c.settings.astra = astra;
    c.system = SystemText{.algorithms = R"("ring", "ring", "ring", "ring", "ring")"}.text();
    all_ranks(c, 32, K::all_reduce, MiB);
    const auto times = c.finishes();
    EXPECT_EQ(times[0] > 250000, !astra);  // ASTRA-sim: 208 060 of 260 075
    if (astra) {
      EXPECT_EQ(times[0], 208060);
    } else {
      EXPECT_NEAR(times[0], 260075, 30);
    }
    for (auto& [rank, list] : c.nodes) list[0].involved_dim = {true, true};
    EXPECT_TRUE(says(c.error(), "involved_dim has 2 entries")) << c.error();
  }
}

TEST(Semantics, G17EveryDimensionNeedsAnAlgorithm) {
  const std::string two = network_text("FullyConnected, FullyConnected", "4, 2", "50, 50", "500, 500");
  Case c(two);
  c.system = SystemText{}.text();
  all_ranks(c, 8, K::all_reduce, MiB);
  EXPECT_EQ(c.finishes()[7], 79540);  // as four ranks alone
  c.settings.astra = false;
  EXPECT_TRUE(says(c.error(), "1 entries for a network of 2 dimensions")) << c.error();
  c.system = SystemText{.algorithms = "\"oneRing\""}.text();
  EXPECT_EQ(c.run().status, Status::completed);
}

TEST(Semantics, G18ChunksAndBlocksAddUpToTheSize) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.system = SystemText{.splits = 2}.text();
    all_ranks(c, 4, K::all_reduce, MiB + 1);
    // Ring all-reduce: every byte crosses 2 (n - 1) links. ASTRA-sim sends a third chunk.
    EXPECT_EQ(sent(c.run()), astra ? 3 * 6 * std::uint64_t{MiB / 2} : 6 * (std::uint64_t{MiB} + 1));
  }
}

TEST(Semantics, G19SmallAndEmptyCollectivesAreNotRaised) {
  for (const bool astra : {true, false}) {
    Four c(astra);
    c.system = SystemText{.splits = 4}.text();
    all_ranks(c, 4, K::all_reduce, 1);
    EXPECT_EQ(sent(c.run()), astra ? 6 * 16U : 6U);
    all_ranks(c, 4, K::all_reduce, 0);
    const RunResult r = c.run();
    EXPECT_EQ(r.status, Status::completed);
    EXPECT_EQ(sent(r), astra ? 6 * 16U : 0U);
    if (!astra) {
      EXPECT_EQ(r.makespan, Time());
    }
    all_ranks(c, 4, K::all_gather, 2);
    if (astra) {
      EXPECT_TRUE(says(c.error(), "ASTRA-sim never ends"));
    } else {
      EXPECT_EQ(sent(c.run()), 4 * 3 * 2U);
    }
  }
}

}  // namespace
}  // namespace tutti::workload
