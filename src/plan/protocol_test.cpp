#include "plan/protocol.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/algorithm.h"
#include "plan/network.h"

namespace tutti::plan {
namespace {

constexpr Protocol all[] = {Protocol::simple, Protocol::ll, Protocol::ll128};

std::vector<std::byte> bytes(std::size_t n) {
  std::vector<std::byte> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::byte>(i * 7 + 3);
  return out;
}

TEST(protocol, a_mebibyte_is_two_on_the_wire_of_ll_and_128_120ths_on_that_of_ll128) {
  EXPECT_EQ(wire_bytes(Protocol::simple, Bytes(1 << 20)), Bytes(1 << 20));
  EXPECT_EQ(wire_bytes(Protocol::ll, Bytes(1 << 20)), Bytes(2 << 20));
  EXPECT_EQ(wire_bytes(Protocol::ll128, Bytes(120 * 1000)), Bytes(128 * 1000));
  EXPECT_EQ(wire_bytes(Protocol::ll128, Bytes(1 << 20)), Bytes(8739 * 128));  // ceil(1048576 / 120) lines
  for (const Protocol p : all) EXPECT_EQ(wire_bytes(p, Bytes(0)), Bytes(0));
}

TEST(protocol, every_length_comes_back_byte_by_byte) {
  for (const Protocol p : all)
    for (const std::size_t n : {0, 1, 3, 4, 5, 119, 120, 121, 1000}) {
      const auto in = bytes(n);
      const auto wire = pack(p, in, 42);
      EXPECT_EQ(wire.size(), static_cast<std::size_t>(wire_bytes(p, Bytes(static_cast<std::int64_t>(n))).count()));
      std::vector<std::byte> out(n);
      EXPECT_TRUE(unpack(p, wire, 42, out));
      EXPECT_EQ(out, in) << name(p) << ' ' << n;
    }
}

TEST(protocol, a_line_that_has_not_arrived_is_seen_by_its_flag) {
  for (const Protocol p : {Protocol::ll, Protocol::ll128}) {
    const auto in = bytes(500);
    std::vector<std::byte> out(500);
    auto wire = pack(p, in, 7);
    EXPECT_FALSE(unpack(p, wire, 8, out)) << "the message before lies there still";
    const auto older = pack(p, in, 6);
    const std::size_t line = p == Protocol::ll ? 8 : 128;
    std::copy_n(older.begin() + static_cast<std::ptrdiff_t>(2 * line), line,
                wire.begin() + static_cast<std::ptrdiff_t>(2 * line));
    EXPECT_FALSE(unpack(p, wire, 7, out)) << "the third line is old";
  }
}

TEST(protocol, ll128_is_refused_on_paths_that_reorder) {
  EXPECT_THROW(check_path(Protocol::ll128, false), ConfigError);
  EXPECT_NO_THROW(check_path(Protocol::ll128, true));
  EXPECT_NO_THROW(check_path(Protocol::ll, false));
  EXPECT_THROW(protocol("LL64"), ConfigError);
  for (const Protocol p : all) EXPECT_EQ(protocol(name(p)), p);
}

TEST(protocol, a_ring_takes_the_time_of_its_wire_bytes) {
  // 4 ranks, 480,000 B: six messages of 120,000 B, each 1 us and its wire bytes at 1 GB/s.
  const auto n = ring_network(4, {0, 0, Time::us(1), Bandwidth::gb_per_s(1)});
  const auto s = make_schedule(algorithm("ring_all_reduce"), {CollectiveKind::all_reduce, 4, 480000, 0, {}, {}});
  EXPECT_EQ(estimate(s, n, Bytes(1), Protocol::simple), Time::us(6 * 121));
  EXPECT_EQ(estimate(s, n, Bytes(1), Protocol::ll), Time::us(6 * 241));
  EXPECT_EQ(estimate(s, n, Bytes(1), Protocol::ll128), Time::us(6 * 129));
}

}  // namespace
}  // namespace tutti::plan
