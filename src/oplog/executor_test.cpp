#include "oplog/executor.h"

#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "memory/phys_addr.h"

namespace tutti::oplog {
namespace {

using memory::PhysAddr;

/// Two PEs; each sends its 4 bytes to the other's slot, and adds what it received.
struct Exchange {
  memory::Space image = empty_image();
  std::uint64_t tensor[2] = {PhysAddr::tcm(0, 0, 0, 0).encode(), PhysAddr::tcm(0, 0, 1, 0).encode()};
  std::uint64_t slot[2] = {PhysAddr::tcm(0, 0, 0, 0xE00000).encode(), PhysAddr::tcm(0, 0, 1, 0xE00000).encode()};
  Log log;
  OpId received = 0;

  explicit Exchange(int seen_by_one = 10) {
    for (int r = 0; r < 2; ++r) image.write(tensor[r], bytes(r == 0 ? 10 : 20));
    OpId sent[2];
    for (std::uint32_t r = 0; r < 2; ++r)
      sent[r] = log.add({.name = OpName::send, .rank = r, .destination = slot[1 - r], .source = tensor[r], .size = 4});
    for (std::uint32_t r = 0; r < 2; ++r) {
      received = log.add({.name = OpName::recv,
                          .rank = r,
                          .cause = sent[1 - r],
                          .source = slot[r],
                          .size = 4,
                          .hash = hash_of(bytes(r == 0 ? 20 : seen_by_one))});
      log.add({.name = OpName::reduce,
               .dtype = memory::DType::i32,
               .rank = r,
               .destination = tensor[r],
               .source = slot[r],
               .size = 1});
      log.add({.name = OpName::release, .rank = r});
    }
  }
  static std::vector<std::byte> bytes(int v) {
    std::vector<std::byte> out(4);
    memory::store_double(memory::DType::i32, out.data(), 0, v);
    return out;
  }
  int value(const memory::Space& memory, std::uint64_t address) const {
    std::vector<std::byte> out(4);
    memory.read(address, out);
    return static_cast<int>(memory::load_as_double(memory::DType::i32, out.data(), 0));
  }
};

TEST(Replay, repeats_what_was_done_from_the_first_image) {
  Exchange e;
  EXPECT_FALSE(replay(e.log, e.image));
  EXPECT_EQ(e.value(e.image, e.tensor[0]), 30);
  EXPECT_EQ(e.value(e.image, e.tensor[1]), 30);
}

TEST(Replay, names_the_first_receive_that_found_other_bytes) {
  Exchange e(11);
  const auto difference = replay(e.log, e.image);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->op, e.received);
  EXPECT_NE(difference->what.find("rank 1 recv"), std::string::npos) << difference->what;
}

TEST(Replay, compares_what_it_wrote_with_the_memory_of_the_run_and_names_the_first_address) {
  Exchange e;
  EXPECT_FALSE(replay(e.log, e.image));
  const auto run = [&e](std::uint64_t change) {
    return [&e, change](std::uint64_t address, std::span<std::byte> out) {
      e.image.read(address, out);
      if (change >= address && change < address + out.size()) out[change - address] ^= std::byte{1};
    };
  };
  EXPECT_FALSE(compare(e.image, run(0)));
  const auto difference = compare(e.image, run(e.tensor[1] + 2));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->what, "after the run sip0.cube0.pe1.tcm+0x2 holds 0x01, after the replay 0x00");
}

TEST(Replay, a_read_of_bytes_that_nothing_wrote_is_refused) {
  memory::Space memory = empty_image();
  Log log;
  log.add({.name = OpName::copy,
           .destination = PhysAddr::tcm(0, 0, 0, 64).encode(),
           .source = PhysAddr::tcm(0, 0, 0, 0).encode(),
           .size = 4});
  EXPECT_THROW(replay(log, memory), ModelError);
}

TEST(Replay, multiplies_matrices) {
  memory::Space memory = empty_image();
  const auto at = [](std::uint64_t offset) { return PhysAddr::tcm(0, 0, 0, offset).encode(); };
  memory.write(at(0), Exchange::bytes(6));
  memory.write(at(64), Exchange::bytes(7));
  Log log;
  log.add({.name = OpName::gemm, .dtype = memory::DType::i32, .destination = at(128), .size = 4},
          {at(0), at(64), 1, 1, 1, false});
  EXPECT_FALSE(replay(log, memory));
  std::vector<std::byte> out(4);
  memory.read(at(128), out);
  EXPECT_EQ(memory::load_as_double(memory::DType::i32, out.data(), 0), 42);
}

TEST(Log, links_each_operation_to_the_one_before_of_its_rank_and_exports_every_one) {
  const Exchange e;
  EXPECT_EQ(e.log[0].previous, no_op);
  EXPECT_EQ(e.log[2].previous, 0u);
  EXPECT_EQ(e.log[3].previous, 2u);
  EXPECT_EQ(e.log[5].previous, 1u);
  std::ostringstream out;
  write_jsonl(e.log, out);
  std::size_t lines = 0;
  for (const char c : out.str()) lines += c == '\n';
  EXPECT_EQ(lines, e.log.size());
  EXPECT_NE(out.str().find(R"("id": 2, "parents": [0, 1])"), std::string::npos) << out.str();
}

TEST(Log, an_operation_cannot_depend_on_a_later_one) {
  Log log;
  EXPECT_THROW(log.add({.name = OpName::recv, .cause = 5}), InternalError);
}

}  // namespace
}  // namespace tutti::oplog
