#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <protozero/pbf_writer.hpp>
#include <random>
#include <tuple>

#include "workload/trace_format.h"
#include "workload/trace_writer.h"

namespace tutti::workload {
namespace {

namespace fs = std::filesystem;
using protozero::pbf_writer;

class TraceReader : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tutti_traces_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& bytes) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  ReadResult read(const std::string& bytes, const ReadOptions& options = {}) {
    return read_trace(put("t.0.et", bytes), options);
  }
  std::string prefix() const { return (folder_ / "t").string(); }

  fs::path folder_;
};

bool has(const Faults& faults, const std::string& rule) {
  for (const Fault& f : faults.list())
    if (f.rule == rule) return true;
  return false;
}

NodeSpec send(std::uint64_t id) {
  NodeSpec n;
  n.id = id;
  n.name = "send" + std::to_string(id);
  n.type = NodeType::comm_send;
  n.comm_size = 7'011'827'712;
  n.comm_src = 0;
  n.comm_dst = 3;
  n.comm_tag = 7;
  return n;
}

class EverySchema : public TraceReader, public testing::WithParamInterface<Schema> {};

TEST_P(EverySchema, ATraceIsReadBackAndItsGenerationDetected) {
  TraceWriter w(GetParam());
  NodeSpec comp;
  comp.id = 5;
  comp.name = "matmul";
  comp.duration_us = 12;
  comp.num_ops = 1'000'000'000'000;
  comp.tensor_size = 4096;
  w.add(comp);
  NodeSpec s = send(9);
  s.data_deps = {5};
  w.add(s);
  NodeSpec coll;
  coll.id = 2;
  coll.name = "gather";
  coll.type = NodeType::comm_coll;
  coll.collective = CollectiveKind::all_gather;
  coll.comm_size = 1 << 20;
  coll.data_deps = {9, 5};
  coll.involved_dim = {true, false, true};
  w.add(coll);
  const ReadResult r = read(w.bytes());
  ASSERT_TRUE(r.faults.ok()) << r.faults.text();
  const Trace& t = r.trace;
  EXPECT_EQ(t.schema, GetParam());
  ASSERT_EQ(t.nodes.size(), 3U);
  EXPECT_EQ(t.nodes[0].type, NodeType::comp);
  EXPECT_EQ(t.name(t.nodes[0]), "matmul");
  EXPECT_EQ(t.nodes[0].duration_ns, 12'000U);
  EXPECT_EQ(t.nodes[0].num_ops, 1'000'000'000'000U);
  EXPECT_EQ(t.nodes[0].tensor_size, 4096U);
  EXPECT_EQ(t.nodes[1].type, NodeType::comm_send);
  EXPECT_EQ(t.nodes[1].comm_size, 7'011'827'712);
  EXPECT_EQ(t.nodes[1].comm_dst, 3);
  EXPECT_EQ(t.nodes[1].comm_tag, 7);
  EXPECT_EQ(t.nodes[2].type, NodeType::comm_coll);
  EXPECT_EQ(t.nodes[2].collective, CollectiveKind::all_gather);
  EXPECT_EQ(t.nodes[2].dim_count, 3);
  EXPECT_EQ(t.nodes[2].dim_mask, 0b101U);
  ASSERT_EQ(t.parents(t.nodes[2]).size(), 2U);
  EXPECT_EQ(t.parents(t.nodes[2])[0], 1U);
  EXPECT_EQ(t.parents(t.nodes[2])[1], 0U);
  EXPECT_FALSE(t.nodes[0].has(Attribute::comm_size));
}
INSTANTIATE_TEST_SUITE_P(All, EverySchema,
                         testing::Values(Schema::v0_0_1, Schema::v0_0_2, Schema::v0_0_3, Schema::v0_0_4,
                                         Schema::v1_0_0),
                         [](const auto& p) {
                           std::string s = "v" + std::string(to_string(p.param));
                           std::replace(s.begin(), s.end(), '.', '_');
                           return s;
                         });

// Field case C4: a size under any integer kind is that size; the old feeder reads one kind only.
TEST_F(TraceReader, C4EveryIntegerKindIsTheSameSize) {
  for (const unsigned field : {7U, 9U, 11U, 13U, 15U, 17U, 19U, 21U, 23U, 25U}) {
    TraceWriter w;
    std::string frame;
    {
      pbf_writer n(frame);
      n.add_uint64(1, 1);
      n.add_uint32(3, 7);
      pbf_writer a(n, 10);
      a.add_string(1, "comm_size");
      switch (field) {
        case 15:
          a.add_sint32(field, 4096);
          break;
        case 17:
          a.add_sint64(field, 4096);
          break;
        case 19:
          a.add_fixed32(field, 4096);
          break;
        case 21:
          a.add_fixed64(field, 4096);
          break;
        case 23:
          a.add_sfixed32(field, 4096);
          break;
        case 25:
          a.add_sfixed64(field, 4096);
          break;
        default:
          a.add_uint64(field, 4096);
      }
    }
    w.raw_frame(frame);
    const ReadResult r = read(w.bytes());
    ASSERT_EQ(r.trace.nodes.size(), 1U) << r.faults.text();
    EXPECT_EQ(r.trace.nodes[0].comm_size, 4096) << field;
    EXPECT_TRUE(r.trace.nodes[0].has(Attribute::comm_size)) << field;
    EXPECT_EQ((r.trace.nodes[0].old_kind & bit(Attribute::comm_size)) != 0, field == 9) << field;
  }
}

TEST_F(TraceReader, C4ATextForANumberIsMarkedAsTheWrongKindAndTheFirstOfANameWins) {
  TraceWriter w;
  std::string frame;
  {
    pbf_writer n(frame);
    n.add_uint32(3, 7);
    {
      pbf_writer a(n, 10);
      a.add_string(1, "comm_size");
      a.add_string(29, "4096");
    }
    pbf_writer b(n, 10);
    b.add_string(1, "comm_size");
    b.add_int64(9, 4096);
  }
  w.raw_frame(frame);
  const ReadResult r = read(w.bytes());
  ASSERT_EQ(r.trace.nodes.size(), 1U);
  EXPECT_FALSE(r.trace.nodes[0].has(Attribute::comm_size));
  EXPECT_NE(r.trace.nodes[0].wrong_kind & bit(Attribute::comm_size), 0);
}

TEST_F(TraceReader, PackedAndUnpackedDependenciesAreTheSameAndKindsAreKeptApart) {
  TraceWriter w;
  w.add(send(1));
  w.add(send(2));
  std::string frame;
  {
    pbf_writer n(frame);
    n.add_uint64(1, 3);
    n.add_uint32(3, 4);
    n.add_uint64(5, 1);
    n.add_uint64(4, 2);
    n.add_uint64(5, 2);
  }
  w.raw_frame(frame);
  const ReadResult r = read(w.bytes());
  ASSERT_TRUE(r.faults.ok()) << r.faults.text();
  const Node& n = r.trace.nodes[2];
  EXPECT_EQ(std::vector<std::uint32_t>(r.trace.data_deps(n).begin(), r.trace.data_deps(n).end()),
            (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(std::vector<std::uint32_t>(r.trace.ctrl_deps(n).begin(), r.trace.ctrl_deps(n).end()),
            (std::vector<std::uint32_t>{1}));
}

// G.1.8, field case C1.
TEST_F(TraceReader, G1_8ADanglingDependencyIsAFaultThatNamesBothNodes) {
  TraceWriter w;
  NodeSpec n = send(7);
  n.ctrl_deps = {999};
  w.add(n);
  const ReadResult r = read(w.bytes());
  ASSERT_EQ(r.faults.errors(), 1U);
  EXPECT_EQ(r.faults.list()[0].rule, "dangling-dependency");
  EXPECT_EQ(r.faults.list()[0].node, 7U);
  EXPECT_NE(r.faults.list()[0].text().find("999"), std::string::npos);
  EXPECT_NE(r.faults.list()[0].text().find("'send7'"), std::string::npos);
}

TEST_F(TraceReader, G1_10ATruncatedLastFrameIsAFaultAtItsOffset) {
  TraceWriter w;
  w.add(send(1));
  const std::size_t whole = w.bytes().size();
  w.add(send(2));
  for (std::size_t cut = whole + 1; cut < w.bytes().size(); ++cut) {
    const ReadResult r = read(w.bytes().substr(0, cut));
    ASSERT_EQ(r.faults.errors(), 1U) << cut;
    EXPECT_EQ(r.faults.list()[0].rule, "truncated");
    EXPECT_EQ(r.faults.list()[0].offset, whole);
    EXPECT_EQ(r.trace.nodes.size(), 1U);
  }
}

TEST_F(TraceReader, G1_10AFrameLengthOfFourGibibytesOrSixBytesIsAFault) {
  TraceWriter w;
  w.add(send(1));
  EXPECT_TRUE(has(read(w.bytes() + "\xff\xff\xff\xff\x0f").faults, "truncated"));
  EXPECT_TRUE(has(read(w.bytes() + "\xff\xff\xff\xff\xff\xff\x01").faults, "truncated"));
}

TEST_F(TraceReader, G1_10ADamagedNodeIsAFaultAndTheNextOneIsRead) {
  TraceWriter w;
  w.raw_frame("\x08\x01\x52\x7f");
  w.add(send(2));
  const ReadResult r = read(w.bytes());
  ASSERT_EQ(r.faults.errors(), 1U) << r.faults.text();
  EXPECT_EQ(r.faults.list()[0].rule, "damaged-node");
  ASSERT_EQ(r.trace.nodes.size(), 1U);
  EXPECT_EQ(r.trace.nodes[0].id, 2U);
}

TEST_F(TraceReader, G1_11AFirstFrameThatIsANodeIsAFaultUnlessTheSchemaIsTold) {
  TraceWriter w(Schema::v0_0_4, false);
  w.add(send(1));
  EXPECT_TRUE(has(read(w.bytes()).faults, "no-metadata"));
  ReadOptions told;
  told.schema = Schema::v0_0_4;
  const ReadResult r = read(w.bytes(), told);
  EXPECT_TRUE(r.faults.ok()) << r.faults.text();
  EXPECT_EQ(r.trace.nodes.size(), 1U);
}

TEST_F(TraceReader, AnEmptyMetadataFrameIsLegal) {
  TraceWriter w(Schema::v0_0_4, false);
  w.raw_frame("");
  w.add(send(1));
  const ReadResult r = read(w.bytes());
  EXPECT_TRUE(r.faults.ok()) << r.faults.text();
  EXPECT_EQ(r.trace.nodes.size(), 1U);
}

std::string gzip(const std::string& bytes) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, bytes.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

TEST_F(TraceReader, G1_11AGzipFileIsInflatedWithinItsBound) {
  TraceWriter w;
  for (std::uint64_t i = 1; i < 100; ++i) w.add(send(i));
  const std::string packed = gzip(w.bytes());
  EXPECT_EQ(read(packed).trace.nodes.size(), 99U);
  EXPECT_EQ(read(packed + packed.substr(0, 0)).faults.errors(), 0U);
  EXPECT_TRUE(has(read(packed.substr(0, packed.size() / 2)).faults, "gzip"));
  ReadOptions small;
  small.max_inflated = 1000;
  EXPECT_TRUE(has(read(packed, small).faults, "gzip"));
}

TEST_F(TraceReader, G1_12ADuplicateIdIsAFault) {
  TraceWriter w;
  w.add(send(4));
  w.add(send(4));
  EXPECT_TRUE(has(read(w.bytes()).faults, "duplicate-id"));
}

TEST_F(TraceReader, SparseIdsUpToSixtyFourBitsAreFound) {
  TraceWriter w;
  w.add(send(0));
  NodeSpec n = send(UINT64_MAX);
  n.data_deps = {0};
  w.add(n);
  const ReadResult r = read(w.bytes());
  EXPECT_TRUE(r.faults.ok()) << r.faults.text();
  EXPECT_EQ(r.trace.parents(r.trace.nodes[1])[0], 0U);
}

TEST_F(TraceReader, FaultsBeyondTheLimitAreCounted) {
  TraceWriter w;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    NodeSpec n = send(i);
    n.data_deps = {1000 + i};
    w.add(n);
  }
  ReadOptions few;
  few.max_faults = 10;
  const ReadResult r = read(w.bytes(), few);
  EXPECT_EQ(r.faults.list().size(), 10U);
  EXPECT_EQ(r.faults.errors(), 50U);
  EXPECT_NE(r.faults.text().find("and 40 more"), std::string::npos);
}

// Field case C3.
TEST_F(TraceReader, C3MissingExtraEmptyAndPaddedFilesAreFaults) {
  TraceWriter w;
  w.add(send(1));
  for (const char* name : {"t.0.et", "t.1.et", "t.3.et", "t.4.et", "t.05.et"}) put(name, w.bytes());
  put("t.1.et", "");
  ReadOptions four;
  four.expected_ranks = 4;
  const TraceSet set = read_trace_set(prefix(), four);
  const std::string text = set.faults.text();
  EXPECT_TRUE(has(set.faults, "missing-file") && text.find("t.2.et: error: missing") != std::string::npos) << text;
  EXPECT_TRUE(has(set.faults, "extra-file") && text.find("t.4.et: error: extra") != std::string::npos) << text;
  EXPECT_TRUE(has(set.faults, "empty-file"));
  EXPECT_TRUE(has(set.faults, "padded-rank"));
  EXPECT_EQ(set.faults.errors(), 4U) << text;
}

TEST_F(TraceReader, C3AWrongExtensionIsNamedInTheHint) {
  put("t.0.eg", "x");
  EXPECT_NE(read_trace_set(prefix()).faults.text().find("there is t.0.eg"), std::string::npos);
}

TEST_F(TraceReader, RandomAndMutatedBytesNeverCrash) {
  TraceWriter w;
  for (std::uint64_t i = 1; i < 30; ++i) {
    NodeSpec n = send(i);
    n.data_deps = {i / 2};
    n.involved_dim = {true, false};
    w.add(n);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = round % 4 == 0 ? std::string(random() % 200 + 1, '\0') : w.bytes();
    for (std::size_t k = 0; k < (round % 4 == 0 ? bytes.size() : 1 + random() % 8); ++k)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    const ReadResult r = read(bytes);
    for (const Node& n : r.trace.nodes)
      for (const std::uint32_t p : r.trace.parents(n)) ASSERT_LT(p, r.trace.nodes.size());
  }
}

const char* shared() {
  const char* const at = std::getenv("TUTTI_SHARED");
  if (!at) std::cout << "*** NOT RUN: set TUTTI_SHARED to the folder of reference data ***\n";
  return at;
}

TEST(RealTraces, AllLoadExceptThoseThatAreKnownToBeDefective) {
  const char* const root = shared();
  if (!root) return;
  int files = 0;
  for (const char* part : {"data/chakra", "data/stage", "data/pr383"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / part)) {
      const std::string path = entry.path().string();
      if (entry.path().extension() != ".et" || path.find("mlcommons+chakra") != std::string::npos ||
          path.find("dep_missing") != std::string::npos)
        continue;
      ReadOptions options;
      // These 64 files have the fields of 0.0.4 and no metadata frame.
      if (path.find("runs/example/workload/resnet50") != std::string::npos) {
        EXPECT_TRUE(has(read_trace(path).faults, "no-metadata")) << path;
        options.schema = Schema::v0_0_4;
      }
      const ReadResult r = read_trace(path, options);
      EXPECT_TRUE(r.faults.ok()) << r.faults.text();
      EXPECT_FALSE(r.trace.nodes.empty()) << path;
      for (const Node& n : r.trace.nodes)
        ASSERT_NE(n.type, NodeType::unknown) << path << " schema " << to_string(r.trace.schema);
      ++files;
    }
  EXPECT_GT(files, 1000);
}

// The counts were taken with a separate decoder.
TEST(RealTraces, DanglingDependenciesOfConverterOutputAreAllFound) {
  const char* const root = shared();
  if (!root) return;
  const std::string folder = std::string(root) + "/data/chakra/mlcommons+chakra/";
  for (const auto& [name, nodes, dangling] :
       {std::tuple("chakra_new.0.et", 3664U, 1277U), std::tuple("chakra_old.0.et", 11347U, 3U)}) {
    const ReadResult r = read_trace(folder + name);
    EXPECT_EQ(r.trace.nodes.size(), nodes);
    EXPECT_EQ(r.faults.errors(), dangling) << name;
    for (const Fault& f : r.faults.list()) EXPECT_EQ(f.rule, "dangling-dependency");
  }
}

}  // namespace
}  // namespace tutti::workload
