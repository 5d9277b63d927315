#include "workload/check.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "workload/trace_writer.h"

namespace tutti::workload {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

NodeSpec message(NodeType type, std::uint64_t id, std::int32_t peer, std::int64_t bytes, std::int32_t tag,
                 std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = (type == NodeType::comm_send ? "send" : "recv") + std::to_string(id);
  n.type = type;
  (type == NodeType::comm_send ? n.comm_dst : n.comm_src) = peer;
  n.comm_size = bytes;
  n.comm_tag = tag;
  n.data_deps = std::move(after);
  return n;
}
NodeSpec send(std::uint64_t id, std::int32_t to, std::int64_t bytes, std::int32_t tag,
              std::vector<std::uint64_t> after = {}) {
  return message(NodeType::comm_send, id, to, bytes, tag, std::move(after));
}
NodeSpec receive(std::uint64_t id, std::int32_t from, std::int64_t bytes, std::int32_t tag,
                 std::vector<std::uint64_t> after = {}) {
  return message(NodeType::comm_recv, id, from, bytes, tag, std::move(after));
}
NodeSpec collective(std::uint64_t id, CollectiveKind kind, std::int64_t bytes, std::string group = {},
                    std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = "coll" + std::to_string(id);
  n.type = NodeType::comm_coll;
  n.collective = kind;
  n.comm_size = bytes;
  if (!group.empty()) n.pg_name = std::move(group);
  n.data_deps = std::move(after);
  return n;
}
NodeSpec compute(std::uint64_t id, std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = "comp" + std::to_string(id);
  n.duration_us = 1;
  n.data_deps = std::move(after);
  return n;
}

class Check : public testing::Test {
 protected:
  Check() {
    std::string name = (fs::temp_directory_path() / "tutti-check-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    settings.workload = folder_ + "/w";
  }
  ~Check() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }
  CheckReport run() {
    for (const auto& [rank, nodes] : ranks) {
      TraceWriter w;
      for (const NodeSpec& n : nodes) w.add(n);
      w.save(folder_ + "/w." + std::to_string(rank) + ".et");
    }
    return check_inputs(settings);
  }
  /// All faults, a line each, without the folder.
  std::string text() {
    std::string all = run().faults.text();
    for (auto at = all.find(folder_ + "/"); at != std::string::npos; at = all.find(folder_ + "/"))
      all.erase(at, folder_.size() + 1);
    return all;
  }
  void network(const std::string& size = "2") {
    settings.network = file("n.yml", "topology: [Ring]\nnpus_count: [" + size + "]\nbandwidth: [50]\nlatency: [500]\n");
  }

  std::map<int, std::vector<NodeSpec>> ranks;
  CheckSettings settings;
  std::string folder_;
};

TEST_F(Check, ASoundSetHasNoFaultAndIsCounted) {
  ranks[0] = {compute(1), send(2, 1, 100, 7, {1}), collective(3, CollectiveKind::all_reduce, 64, {}, {2})};
  ranks[1] = {receive(1, 0, 100, 7), collective(2, CollectiveKind::all_reduce, 64, {}, {1})};
  network();
  const CheckReport r = run();
  EXPECT_EQ(r.faults.text(), "");
  EXPECT_EQ(r.counts.nodes, 5U);
  EXPECT_EQ(r.counts.dependencies, 3U);
  EXPECT_EQ(r.counts.sends, 1U);
  EXPECT_EQ(r.counts.receives, 1U);
  EXPECT_EQ(r.counts.collectives, 2U);
  EXPECT_EQ(r.counts.bytes_sent, 100U);
  EXPECT_EQ(r.counts.collective_bytes, 128U);
}

TEST_F(Check, AMissingFileIsNamedAndMatchingIsSaidToBeLeftOut) {
  ranks[0] = {send(1, 1, 10, 7)};
  network();
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("w.1.et: error: missing: the network has 2 ranks [missing-file]"));
  EXPECT_THAT(t, HasSubstr("[not-checked]"));
}

TEST_F(Check, C1ACycleAndASelfDependencyArePrinted) {
  ranks[0] = {compute(1, {3}), compute(2, {1}), compute(3, {2}), compute(9, {9})};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("the dependencies go in a circle of 3 nodes: "));
  EXPECT_THAT(t, HasSubstr("1 -> 2 -> 3 -> 1 [cycle]"));
  EXPECT_THAT(t, HasSubstr("w.0.et: error: node 9 'comp9': depends on itself [self-dependency]"));
}

TEST_F(Check, EachKnotOfTwoIsListed) {
  ranks[0] = {compute(1, {2}), compute(2, {1}), compute(3, {4}), compute(4, {3})};
  EXPECT_EQ(run().rules.at("cycle"), 2U);
}

TEST_F(Check, C1DanglingAndDuplicatedDependenciesAreListed) {
  ranks[0] = {compute(1), compute(2, {1, 1}), compute(3, {999})};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("warning: node 2 'comp2': names a parent more than once; it counts once"));
  EXPECT_THAT(t, HasSubstr("error: node 3 'comp3': data dependency on node 999, which is not in this file"));
}

TEST_F(Check, C1AChainOfAHundredThousandNodesIsWalkedWithoutRecursion) {
  for (std::uint64_t i = 1; i <= 100'000; ++i) ranks[0].push_back(i == 1 ? compute(i, {100'000}) : compute(i, {i - 1}));
  EXPECT_THAT(text(), HasSubstr("a circle of 100000 nodes"));
}

TEST_F(Check, MissingAndWrongAttributesAreNamed) {
  NodeSpec n = send(1, 1, 10, 7);
  n.comm_tag.reset();
  NodeSpec m = receive(2, 1, 10, 7);
  m.comm_src.reset();
  NodeSpec c = collective(3, CollectiveKind::all_reduce, 4);
  c.collective.reset();
  NodeSpec negative = send(4, 1, -5, -1);
  NodeSpec memory;
  memory.id = 5;
  memory.type = NodeType::mem_load;
  ranks[0] = {n, m, c, negative, memory};
  ranks[1] = {};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("node 1 'send1': comm_tag is missing [missing-attribute]"));
  EXPECT_THAT(t, HasSubstr("node 2 'recv2': comm_src is missing [missing-attribute] (the PyTorch converter"));
  EXPECT_THAT(t, HasSubstr("node 3 'coll3': comm_type is missing"));
  EXPECT_THAT(t, HasSubstr("node 4 'send4': comm_size is -5 [bad-value]"));
  EXPECT_THAT(t, HasSubstr("node 4 'send4': comm_tag is -1 [bad-value]"));
  EXPECT_THAT(t, HasSubstr("node 5: tensor_size is missing"));
}

TEST_F(Check, RanksOutOfRangeForeignRanksAndMessagesToOneselfAreListed) {
  NodeSpec foreign = send(2, 1, 8, 1);
  foreign.comm_src = 1;
  ranks[0] = {send(1, 5, 8, 1), foreign, send(3, 0, 8, 2), receive(4, 0, 8, 2)};
  ranks[1] = {receive(1, 0, 8, 1)};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("node 1 'send1': comm_dst 5 is not a rank; there are 2 [rank-out-of-range]"));
  EXPECT_THAT(t, HasSubstr("node 2 'send2': comm_src is 1, but this is the trace of rank 0 [foreign-rank]"));
  EXPECT_THAT(t, HasSubstr("warning: node 3 'send3': a message to oneself [self-message]"));
}

TEST_F(Check, C6ACommunicationNodeOnTheCpuIsAnError) {
  NodeSpec n = collective(1, CollectiveKind::all_reduce, 4);
  n.is_cpu_op = true;
  ranks[0] = {n};
  EXPECT_THAT(text(), HasSubstr("[comm-on-cpu]"));
}

TEST_F(Check, UnknownKindsAreErrorsAndABarrierNeedsNoSize) {
  NodeSpec unknown = collective(2, CollectiveKind::unknown, 4), barrier = collective(1, CollectiveKind::barrier, 4);
  barrier.comm_size.reset();
  ranks[0] = {barrier, unknown, compute(3)};
  ranks[0].back().type = static_cast<NodeType>(12);
  const std::string t = text();
  EXPECT_THAT(t, Not(HasSubstr("coll1")));
  EXPECT_THAT(t, HasSubstr("node 2 'coll2': unknown comm_type"));
  EXPECT_THAT(t, HasSubstr("node 3 'comp3': unknown node type 12 [unknown-type]"));
}

TEST_F(Check, AReceiveWithAnotherTagHasTheNearestMissAsHint) {
  ranks[0] = {send(1, 1, 10, 8)};
  ranks[1] = {receive(5, 0, 10, 7)};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("w.1.et: error: node 5 'recv5': 10 bytes with tag 7 from rank 0 are not sent "
                           "[receive-without-send] (a send with tag 8 exists: node 1 of rank 0)"));
  EXPECT_THAT(t, HasSubstr("w.0.et: error: node 1 'send1': 10 bytes with tag 8 to rank 1 have no receive "
                           "[send-without-receive] (a receive with tag 7 exists: node 5 of rank 1)"));
}

TEST_F(Check, AReceiveFromTheWrongRankHasItsSendAsHint) {
  ranks[0] = {send(1, 2, 10, 7)};
  ranks[1] = {};
  ranks[2] = {receive(5, 1, 10, 7)};
  EXPECT_THAT(text(), HasSubstr("(a send with this tag from rank 0 to rank 2 exists: node 1 of rank 0)"));
}

TEST_F(Check, A11OneReceiveTooManyIsTheLastOneOfItsKey) {
  ranks[0] = {send(1, 1, 10, 7), send(2, 1, 20, 7)};
  ranks[1] = {receive(1, 0, 10, 7), receive(2, 0, 20, 7), receive(3, 0, 30, 7)};
  EXPECT_EQ(text(),
            "w.1.et: error: node 3 'recv3': 30 bytes with tag 7 from rank 0 are not sent [receive-without-send] (this "
            "key has 2 sends and 3 receives)\n");
}

TEST_F(Check, A3DifferentSizesNameBothNodes) {
  ranks[0] = {send(1, 1, 3072, 7)};
  ranks[1] = {receive(2, 0, 2048, 7)};
  EXPECT_EQ(text(),
            "w.1.et: error: node 2 'recv2': receives 2048 bytes with tag 7, but node 1 'send1' of rank 0 sends 3072 "
            "[size-mismatch]\n");
}

TEST_F(Check, OneSendOverTwoReceivesIsSoundAsAStreamButNotMessageByMessage) {
  ranks[0] = {send(1, 1, 30, 7)};
  ranks[1] = {receive(1, 0, 10, 7), receive(2, 0, 20, 7)};
  EXPECT_EQ(text(), "");
  settings.messages = true;
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("[size-mismatch]"));
  EXPECT_THAT(t, HasSubstr("node 2 'recv2': 20 bytes with tag 7 from rank 0 are not sent"));
}

TEST_F(Check, BytesMissingOfAReceiveAreCounted) {
  ranks[0] = {send(1, 1, 25, 7)};
  ranks[1] = {receive(1, 0, 10, 7), receive(2, 0, 20, 7)};
  EXPECT_THAT(text(), HasSubstr("node 2 'recv2': 5 of 20 bytes with tag 7 from rank 0 are not sent"));
}

TEST_F(Check, B6GroupsAreHeldAgainstTheTraces) {
  settings.comm_group = file("g.json", R"({"tp_0": [1, 0], "3": [2, 3]})");
  for (int r = 0; r < 4; ++r) ranks[r] = {collective(1, CollectiveKind::all_reduce, 4, r < 3 ? "tp_0" : "nowhere")};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("w.2.et: error: node 1 'coll1': rank 2 is not a member of group 'tp_0' [not-a-member]"));
  EXPECT_THAT(t, HasSubstr("w.3.et: error: node 1 'coll1': unknown group 'nowhere'; known: 3, tp_0 [unknown-group]"));
  settings.comm_group = file("g.json", "{\"1\": [0, 9],\n \"2\": [1, 1]}");
  const std::string faults = text();
  EXPECT_THAT(faults, HasSubstr("g.json:1:2: error: group '1': 9 is not a rank; there are 4 [configuration]"));
  EXPECT_THAT(faults, HasSubstr("g.json:2:2: error: group '2': rank 1 occurs twice"));
}

TEST_F(Check, AGroupWithoutAFileHasTheOptionAsHint) {
  ranks[0] = {collective(1, CollectiveKind::all_reduce, 4, "7")};
  EXPECT_THAT(text(), HasSubstr("(no communicator file is given: --comm-group FILE)"));
}

TEST_F(Check, B25TheRankThatDiffersFromTheOthersIsNamed) {
  for (int r = 0; r < 4; ++r)
    ranks[r] = {collective(1, CollectiveKind::all_reduce, 4),
                collective(2, r == 0 ? CollectiveKind::all_gather : CollectiveKind::all_reduce, 8, {}, {1})};
  EXPECT_EQ(text(),
            "w.0.et: error: node 2 'coll2': collective number 2 of all ranks is ALL_GATHER of 8 bytes here, but "
            "ALL_REDUCE of 8 bytes at node 2 'coll2' of rank 1 [collective-mismatch]\n");
}

TEST_F(Check, ARankWithFewerCollectivesIsNamed) {
  for (int r = 0; r < 3; ++r) ranks[r] = {collective(1, CollectiveKind::all_reduce, 4)};
  ranks[0].push_back(collective(2, CollectiveKind::all_reduce, 8, {}, {1}));
  ranks[1].push_back(collective(2, CollectiveKind::all_reduce, 8, {}, {1}));
  EXPECT_THAT(text(), HasSubstr("w.2.et: error: node 1 'coll1': this is the last collective of all ranks on this rank, "
                                "number 1; rank 0 goes on with ALL_REDUCE of 8 bytes at node 2"));
  ranks[2] = {compute(1)};
  EXPECT_THAT(text(), HasSubstr("w.2.et: error: rank 2 issues no collective of all ranks; rank 0 issues 2"));
}

TEST_F(Check, C12AnOrderThatNoDependencyFixesIsAWarning) {
  ranks[0] = {collective(1, CollectiveKind::all_reduce, 4), collective(2, CollectiveKind::all_reduce, 8)};
  ranks[1] = {collective(1, CollectiveKind::all_reduce, 8), collective(2, CollectiveKind::all_reduce, 4)};
  EXPECT_THAT(text(), HasSubstr("error"));  // all are free at once: the smaller id goes first
  ranks[1] = {compute(5), compute(6), collective(1, CollectiveKind::all_reduce, 8, {}, {5}),
              collective(2, CollectiveKind::all_reduce, 4, {}, {6})};
  EXPECT_THAT(text(), HasSubstr("warning: node 1 'coll1': collective number 1"));
  ranks[1] = {collective(1, CollectiveKind::all_reduce, 8), collective(2, CollectiveKind::all_reduce, 4, {}, {1})};
  EXPECT_THAT(text(), HasSubstr("error: node 1 'coll1': collective number 1"));
}

TEST_F(Check, A6ReceivesThatWaitForEachOtherAreACircleAcrossRanks) {
  ranks[0] = {receive(1, 1, 8, 7), send(2, 1, 8, 7, {1})};
  ranks[1] = {receive(3, 0, 8, 7), send(4, 0, 8, 7, {3})};
  EXPECT_EQ(text(),
            "w.0.et: error: node 1 'recv1': waits for itself: rank 0 node 1 'recv1' (receive from 1 tag 7) -> rank 1 "
            "node 4 'send4' (send to 0 tag 7) -> rank 1 node 3 'recv3' (receive from 0 tag 7) -> rank 0 node 2 'send2' "
            "(send to 1 tag 7) -> rank 0 node 1 [deadlock]\n");
}

TEST_F(Check, A6SendsFirstAreACircleWithRendezvousOnly) {
  ranks[0] = {send(1, 1, 8, 7), receive(2, 1, 8, 7, {1})};
  ranks[1] = {send(1, 0, 8, 7), receive(2, 0, 8, 7, {1})};
  EXPECT_EQ(text(), "");
  settings.rendezvous = true;
  EXPECT_THAT(text(), HasSubstr("[deadlock]"));
}

TEST_F(Check, CollectivesOfTwoGroupsInOppositeOrderAreACircle) {
  settings.comm_group = file("g.json", R"({"1": [0, 1], "2": [1, 0]})");
  ranks[0] = {collective(1, CollectiveKind::all_reduce, 4, "1"),
              collective(2, CollectiveKind::all_reduce, 4, "2", {1})};
  ranks[1] = {collective(1, CollectiveKind::all_reduce, 4, "2"),
              collective(2, CollectiveKind::all_reduce, 4, "1", {1})};
  EXPECT_THAT(text(),
              HasSubstr("rank 0 node 1 'coll1' (ALL_REDUCE) -> rank 1 node 2 'coll2' (ALL_REDUCE) -> rank 1 node "
                        "1 'coll1' (ALL_REDUCE) -> rank 0 node 2 'coll2' (ALL_REDUCE) -> rank 0 node 1"));
}

TEST_F(Check, DimensionListsMustFitTheNetwork) {
  NodeSpec n = collective(1, CollectiveKind::all_reduce, 4);
  n.involved_dim = {true, false};
  ranks[0] = ranks[1] = {n};
  network();
  EXPECT_THAT(text(), HasSubstr("involved_dim has 2 entries, the network has 1 dimensions [dimensions]"));
}

TEST_F(Check, C5UnitsThatLookWrongAreWarnings) {
  NodeSpec n = compute(1);
  n.duration_us = 7'200'000'000;
  ranks[0] = {n, send(2, 1, std::int64_t{1} << 51, 1), send(3, 1, 0, 2)};
  ranks[1] = {receive(2, 0, std::int64_t{1} << 51, 1), receive(3, 0, 0, 2)};
  const std::string t = text();
  EXPECT_THAT(t, HasSubstr("warning: node 1 'comp1': takes 2 hours"));
  EXPECT_THAT(t, HasSubstr("more than a pebibyte [unit]"));
  EXPECT_THAT(t, HasSubstr("warning: node 3 'send3': comm_size is 0 [zero-bytes]"));
  EXPECT_TRUE(run().ok());
}

TEST_F(Check, TheSystemFileDecidesWhatComputeNodesNeed) {
  ranks[0] = ranks[1] = {compute(1)};
  network();
  settings.system = file("s.json", R"({"roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1})");
  EXPECT_THAT(text(), HasSubstr("node 1 'comp1': num_ops is missing [missing-attribute] (roofline-enabled needs it)"));
  settings.system = file("s.json", R"({"no-such-key": 1})");
  EXPECT_THAT(text(), HasSubstr("[configuration]"));
}

TEST_F(Check, OneRuleDoesNotHideAnother) {
  for (std::uint64_t i = 1; i <= 500; ++i) ranks[0].push_back(compute(i, {i + 1000}));
  ranks[0].push_back(compute(600, {600}));
  settings.listed = 5;
  const CheckReport r = run();
  EXPECT_EQ(r.faults.list().size(), 7U);  // five of one rule, one of another, and the note that matching is left out
  EXPECT_EQ(r.faults.errors(), 501U);
  EXPECT_EQ(r.rules.at("dangling-dependency"), 500U);
}

TEST(CheckRealTraces, TrainingStepsOfSeveralKindsHaveNoError) {
  const char* const root = std::getenv("TUTTI_SHARED");
  if (!root) {
    std::cout << "*** NOT RUN: set TUTTI_SHARED to the folder of reference data ***\n";
    return;
  }
  int sets = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(root) / "data/stage")) {
    if (!fs::exists(entry.path() / "w.0.et")) continue;
    CheckSettings s;
    s.workload = (entry.path() / "w").string();
    s.comm_group = (entry.path() / "w.json").string();
    const CheckReport r = check_inputs(s);
    EXPECT_TRUE(r.ok()) << r.faults.text();
    ++sets;
  }
  EXPECT_GT(sets, 5);
}

// The counts were taken with a separate decoder.
TEST(CheckRealTraces, ConverterOutputIsRefusedWithItsFaultsListed) {
  const char* const root = std::getenv("TUTTI_SHARED");
  if (!root) {
    std::cout << "*** NOT RUN: set TUTTI_SHARED to the folder of reference data ***\n";
    return;
  }
  CheckSettings s;
  s.traces = {std::string(root) + "/data/chakra/mlcommons+chakra/chakra_new.0.et"};
  const CheckReport r = check_inputs(s);
  EXPECT_EQ(r.rules.at("dangling-dependency"), 1277U);
  EXPECT_EQ(r.rules.at("self-dependency"), 383U);
  EXPECT_GE(r.rules.at("cycle"), 1U);
  EXPECT_EQ(r.counts.nodes, 3664U);
}

}  // namespace
}  // namespace tutti::workload
