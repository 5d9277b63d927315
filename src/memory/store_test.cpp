#include "memory/store.h"

#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::memory {
namespace {

std::vector<std::byte> pattern(std::size_t n) {
  std::vector<std::byte> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::byte>(i * 7 + 1);
  return v;
}

TEST(Space, bytes_come_back_across_pages_and_only_touched_pages_exist) {
  Space tcm("sip0.cube5.pe3.tcm", 16u << 20);
  const auto data = pattern(9000);
  tcm.write(4000, data);
  std::vector<std::byte> back(9000);
  tcm.read(4000, back);
  EXPECT_EQ(back, data);
  EXPECT_EQ(tcm.pages(), 4u);  // bytes 4000 to 12999
}

TEST(Space, access_outside_names_the_space_and_the_address) {
  Space tcm("sip0.cube5.pe3.tcm", 100);
  try {
    tcm.write(96, pattern(5));
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("sip0.cube5.pe3.tcm"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("0x60"), std::string::npos);
  }
  std::vector<std::byte> out(1);
  EXPECT_THROW(tcm.read(UINT64_MAX, out), ModelError);
  EXPECT_NO_THROW(tcm.write(100, {}));
}

TEST(Space, a_byte_never_written_cannot_be_read) {
  Space tcm("tcm", 8192);
  tcm.write(10, pattern(4));
  EXPECT_TRUE(tcm.initialised(10, 4));
  EXPECT_FALSE(tcm.initialised(10, 5));
  EXPECT_FALSE(tcm.initialised(5000, 1));
  std::vector<std::byte> out(5);
  EXPECT_THROW(tcm.read(10, out), ModelError);
}

TEST(Space, every_written_run_is_visited_once_in_order) {
  Space a("a", 1u << 20);
  const auto data = pattern(9000);
  a.write(500'000, std::span(data).first(1));
  a.write(100, data);
  std::vector<std::pair<std::uint64_t, std::size_t>> runs;
  a.each_written([&](std::uint64_t address, std::span<const std::byte> bytes) {
    runs.emplace_back(address, bytes.size());
    if (address == 4096) {
      EXPECT_EQ(bytes[0], data[4096 - 100]);
    }
  });
  const std::vector<std::pair<std::uint64_t, std::size_t>> expected = {
      {100, 3996}, {4096, 4096}, {8192, 908}, {500'000, 1}};
  EXPECT_EQ(runs, expected);
}

}  // namespace
}  // namespace tutti::memory
