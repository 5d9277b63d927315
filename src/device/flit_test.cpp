#include "device/flit.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::device {
namespace {

std::vector<std::byte> counting(std::size_t n) {
  std::vector<std::byte> b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<std::byte>(i + 1);
  return b;
}

TEST(Flit, the_first_flit_has_every_field_at_its_bits) {
  const auto flits = pack({2, 0x155, 0xDEADBEEF, std::uint64_t{0x12345678} * 64}, counting(3));
  ASSERT_EQ(flits.size(), 1u);
  // [511] 1, [510:509] 10, [508:480] 0x155, [479:448] sequence; [447:416] offset / 64, then the payload.
  EXPECT_EQ(flits[0].words[0], 0xC000'0155'DEAD'BEEFull);
  EXPECT_EQ(flits[0].words[1], 0x1234'5678'0102'0300ull);
  for (std::size_t w = 2; w < 8; ++w) EXPECT_EQ(flits[0].words[w], 0u);
}

TEST(Flit, later_flits_carry_60_bytes_behind_a_header_without_the_flag) {
  const auto flits = pack({1, 7, 0, 0}, counting(53));
  ASSERT_EQ(flits.size(), 2u);
  EXPECT_EQ(flits[1].words[0], 0x2000'0007'3500'0000ull);  // byte 53 is 0x35
}

TEST(Flit, payload_efficiency_is_that_of_the_specification) {
  EXPECT_EQ(flit_count(0), 1u);
  EXPECT_EQ(flit_count(52), 1u);
  EXPECT_EQ(flit_count(64), 2u);     // 64 B in 128: 50 %
  EXPECT_EQ(flit_count(4096), 69u);  // 92.8 %
  EXPECT_NEAR(4096.0 / (64.0 * static_cast<double>(flit_count(4096))), 0.928, 0.0005);
  EXPECT_NEAR(65536.0 / (64.0 * static_cast<double>(flit_count(65536))), 0.937, 0.0005);
}

TEST(Flit, metadata_is_handed_on_with_the_tail_flit_and_not_before) {
  for (const std::size_t n : {0u, 1u, 52u, 53u, 112u, 113u, 4096u}) {
    const FlitHeader h{3, 0x1fff'ffff, 0xffff'ffff, (std::uint64_t{1} << 38) - 64};
    const auto bytes = counting(n);
    const auto flits = pack(h, bytes);
    FlitReceiver r;
    for (std::size_t i = 0; i < flits.size(); ++i) {
      const auto m = r.take(flits[i], n);
      ASSERT_EQ(m.has_value(), i + 1 == flits.size());
      if (!m) continue;
      EXPECT_EQ(m->header, h);
      EXPECT_EQ(m->bytes, bytes);
    }
    EXPECT_FALSE(r.busy());
  }
}

TEST(Flit, mixed_messages_and_fields_that_do_not_fit_are_refused) {
  FlitReceiver r;
  const auto flits = pack({}, counting(60));
  EXPECT_THROW(r.take(flits[1], 60), ModelError);
  r.take(flits[0], 60);
  EXPECT_THROW(r.take(flits[0], 60), ModelError);
  EXPECT_THROW(pack({4, 0, 0, 0}, {}), ModelError);
  EXPECT_THROW(pack({0, 1u << 29, 0, 0}, {}), ModelError);
  EXPECT_THROW(pack({0, 0, 0, 32}, {}), ModelError);
}

TEST(Flit, a_credit_flit_has_its_fields_at_their_bits_and_goes_both_ways) {
  const CreditFlit f = pack(CreditContent{0x89ABCDEF, 0x0123'4567'89AB'CDEFull});
  EXPECT_EQ(f.words[0], 0x8000'0000'89AB'CDEFull);
  EXPECT_EQ(f.words[1], 0x0123'4567'89AB'CDEFull);
  EXPECT_EQ(unpack(f), (CreditContent{0x89ABCDEF, 0x0123'4567'89AB'CDEFull}));
  EXPECT_THROW(unpack(CreditFlit{}), ModelError);
}

}  // namespace
}  // namespace tutti::device
