#include "workload/formats/chakra/fast.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "workload/trace_format.h"
#include "workload/trace_writer.h"

namespace tutti::workload {
namespace {

ReadResult read(const std::string& bytes) {
  std::string name = (std::filesystem::temp_directory_path() / "tutti-fast-XXXXXX").string();
  const std::string folder = mkdtemp(name.data());
  const std::string path = folder + "/t.0.et";
  std::FILE* const f = std::fopen(path.c_str(), "wb");
  std::fwrite(bytes.data(), 1, bytes.size(), f);
  std::fclose(f);
  ReadResult r = read_trace(path);
  std::filesystem::remove_all(folder);
  return r;
}

/// A node in two spellings: as writers write it, and with a field at its end that only the full parser skips.
std::pair<std::string, std::string> spellings(const NodeSpec& n) {
  TraceWriter plain;
  plain.add(n);
  TraceWriter one(Schema::v0_0_4, false);
  one.add(n);
  std::string frame = one.bytes();
  std::size_t at = 0;
  while (static_cast<unsigned char>(frame[at++]) >= 0x80) {
  }
  TraceWriter odd;
  odd.raw_frame(frame.substr(at) + std::string("\x78\x01", 2));  // field 15, a varint
  return {plain.bytes(), odd.bytes()};
}

TEST(ChakraFast, GivesWhatTheFullParserGives) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    NodeSpec n;
    n.id = random() >> (random() % 64);
    n.name = std::string(random() % 300, 'x');
    n.type = static_cast<NodeType>(random() % 8);
    n.data_deps = std::vector<std::uint64_t>(random() % 3, n.id);
    n.ctrl_deps = std::vector<std::uint64_t>(random() % 3, n.id);
    n.duration_us = random() % 2 ? random() >> (random() % 64) : 0;
    if (random() % 2) n.is_cpu_op = random() % 2;
    if (random() % 2) n.num_ops = random() >> (random() % 64);
    if (random() % 2) n.tensor_size = random() >> (random() % 64);
    if (random() % 2) n.collective = static_cast<CollectiveKind>(random() % 10);
    if (random() % 2) n.comm_size = static_cast<std::int64_t>(random());
    if (random() % 2) n.comm_src = static_cast<std::int32_t>(random());
    if (random() % 2) n.comm_dst = static_cast<std::int32_t>(random());
    if (random() % 2) n.comm_tag = static_cast<std::int32_t>(random());
    if (random() % 2) n.comm_priority = static_cast<std::int32_t>(random());
    if (random() % 2) n.pg_name = "group" + std::to_string(random() % 3);
    if (random() % 2) n.involved_dim = {true, false, random() % 2 == 0};
    const auto [plain, odd] = spellings(n);
    const ReadResult a = read(plain), b = read(odd);
    ASSERT_TRUE(a.faults.ok() && b.faults.ok()) << a.faults.text() << b.faults.text();
    ASSERT_EQ(a.trace.nodes.size(), 1U);
    ASSERT_EQ(b.trace.nodes.size(), 1U);
    const Node& x = a.trace.nodes[0];
    const Node& y = b.trace.nodes[0];
    EXPECT_EQ(a.trace.name(x), b.trace.name(y));
    EXPECT_EQ(a.trace.group(x), b.trace.group(y));
    EXPECT_EQ(a.trace.deps, b.trace.deps);
    const auto all = [](const Node& m) {
      return std::tuple(m.id, m.duration_ns, m.num_ops, m.tensor_size, m.comm_size, m.comm_tag, m.data_deps,
                        m.ctrl_deps, m.comm_src, m.comm_dst, m.comm_priority, m.dim_mask, m.dim_count, m.type,
                        m.collective, m.is_cpu_op, m.present, m.wrong_kind, m.old_kind, m.raw_type, m.raw_collective);
    };
    EXPECT_EQ(all(x), all(y));
  }
}

}  // namespace
}  // namespace tutti::workload
