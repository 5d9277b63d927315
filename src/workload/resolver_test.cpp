#include "workload/resolver.h"

#include <gtest/gtest.h>

#include "workload/program_order.h"
#include "workload/trace_format.h"
#include "workload/trace_writer.h"

namespace tutti::workload {
namespace {

/// Parents by id, ids as given; `order` sends to rank 1 with tag 0 throughout.
Trace make(const std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>>& nodes) {
  const std::string path = ::testing::TempDir() + "/resolver.0.et";
  TraceWriter w;
  for (const auto& [id, parents] : nodes) {
    NodeSpec n;
    n.id = id;
    n.type = NodeType::comm_send;
    n.comm_dst = 1;
    n.comm_tag = 0;
    n.comm_size = 1;
    n.data_deps = parents;
    w.add(n);
  }
  w.save(path);
  ReadResult r = read_trace(path);
  EXPECT_TRUE(r.faults.ok()) << r.faults.text();
  return std::move(r.trace);
}

TEST(Resolver, FreesANodeWhenItsLastDistinctParentHasFinished) {
  const Trace t = make({{5, {}}, {1, {}}, {9, {5, 1, 5}}});
  Resolver r(t);
  EXPECT_EQ(r.roots(), (std::vector<std::uint32_t>{1, 0}));  // by id
  std::vector<std::uint32_t> freed;
  r.finish(0, freed);
  EXPECT_TRUE(freed.empty());
  r.finish(1, freed);
  EXPECT_EQ(freed, std::vector<std::uint32_t>{2});
  EXPECT_EQ(r.finished(), 2U);
}

TEST(Resolver, FindsACycleAndIgnoresWhatHangsBehindIt) {
  const Trace t = make({{1, {}}, {2, {1, 4}}, {3, {2}}, {4, {3}}, {5, {4}}});
  const auto cycle = Resolver(t).cycle();
  ASSERT_EQ(cycle.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t child = cycle[(i + 1) % 3];
    const auto parents = t.parents(t.nodes[child]);
    EXPECT_NE(std::find(parents.begin(), parents.end(), cycle[i]), parents.end());
  }
  EXPECT_TRUE(Resolver(make({{1, {}}, {2, {1}}})).cycle().empty());
}

TEST(ProgramOrder, NumbersSendsOfAKeyByIdUnlessParentsForbidIt) {
  const Trace by_id = make({{3, {}}, {1, {}}, {2, {}}});
  const ProgramOrder a(by_id);
  EXPECT_EQ((std::vector{a.number(0), a.number(1), a.number(2)}), (std::vector<std::uint64_t>{2, 0, 1}));
  const Trace backwards = make({{1, {2}}, {2, {3}}, {3, {}}, {4, {}}});
  const ProgramOrder b(backwards);
  EXPECT_EQ((std::vector{b.number(0), b.number(1), b.number(2), b.number(3)}),
            (std::vector<std::uint64_t>{3, 2, 0, 1}));
}

}  // namespace
}  // namespace tutti::workload
