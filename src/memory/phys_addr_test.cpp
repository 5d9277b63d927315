#include "memory/phys_addr.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace tutti::memory {
namespace {

constexpr std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

TEST(PhysAddr, fields_stand_at_the_bits_of_the_spec) {
  EXPECT_EQ(PhysAddr::hbm(1, 2, 0x1234).encode(), bit(47) | 2 * bit(42) | 0x1234u);
  EXPECT_EQ(PhysAddr::tcm(15, 3, 7, 0xE00000).encode(), 15 * bit(47) | 3 * bit(42) | bit(38) | 7 * bit(33) | 0xE00000u);
  EXPECT_EQ(PhysAddr::pe_local(0, 0, 31, Unit::credit_window, 4).encode(), bit(38) | 31 * bit(33) | 5 * bit(28) | 4u);
  EXPECT_EQ(PhysAddr::sram(0, 15, bit(38) - 1).encode(), 15 * bit(42) | 2 * bit(38) | (bit(38) - 1));
  EXPECT_EQ(PhysAddr::m_cpu(0, 0, 0).encode(), 3 * bit(38));
  EXPECT_EQ(PhysAddr::io(2, 4, Region::io_cpu, 9).encode(), 2 * bit(47) | 20 * bit(42) | bit(38) | 9u);
}

TEST(PhysAddr, decode_undoes_encode_for_every_field_value_at_the_edges) {
  for (const unsigned sip : {0u, 9u, 15u})
    for (unsigned cube = 0; cube < 16; ++cube)
      for (unsigned pe = 0; pe < 32; ++pe)
        for (unsigned unit = 0; unit < 6; ++unit)
          for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{0xE00000}, bit(28) - 1}) {
            const auto a = PhysAddr::pe_local(sip, cube, pe, static_cast<Unit>(unit), offset);
            const auto b = PhysAddr::decode(a.encode());
            ASSERT_EQ(a, b);
            ASSERT_EQ(b.region(), Region::pe_local);
            ASSERT_EQ(b.sip(), sip);
            ASSERT_EQ(b.cube(), cube);
            ASSERT_EQ(b.pe(), pe);
            ASSERT_EQ(b.unit(), static_cast<Unit>(unit));
            ASSERT_EQ(b.offset(), offset);
          }
}

TEST(PhysAddr, random_bits_are_either_refused_or_come_back_unchanged) {
  Random random(1);
  int exist = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random.next() >> 12;  // one bit more than an address has
    const std::uint64_t die = bits >> 42 & 31u, region = bits >> 38 & 15u, unit = bits >> 28 & 31u;
    const bool valid =
        !(bits >> 51) && die < 21 && region < (die < 16 ? 4u : 2u) && !(die < 16 && region == 1 && unit > 5);
    if (!valid) {
      EXPECT_THROW(PhysAddr::decode(bits), ModelError) << bits;
      continue;
    }
    ++exist;
    ASSERT_EQ(PhysAddr::decode(bits).encode(), bits);
  }
  EXPECT_GT(exist, 1000);
}

TEST(PhysAddr, a_number_too_large_for_its_field_is_refused) {
  EXPECT_THROW(PhysAddr::hbm(16, 0, 0), ModelError);
  EXPECT_THROW(PhysAddr::hbm(0, 16, 0), ModelError);
  EXPECT_THROW(PhysAddr::tcm(0, 0, 32, 0), ModelError);
  EXPECT_THROW(PhysAddr::tcm(0, 0, 0, bit(28)), ModelError);
  EXPECT_THROW(PhysAddr::sram(0, 0, bit(38)), ModelError);
  EXPECT_THROW(PhysAddr::io(0, 5, Region::io_cpu, 0), ModelError);
  EXPECT_THROW(PhysAddr::io(0, 0, Region::hbm, 0), ModelError);
}

TEST(PhysAddr, describes_itself_by_component) {
  EXPECT_EQ(PhysAddr::tcm(0, 5, 3, 0x1000).describe(), "sip0.cube5.pe3.tcm+0x1000");
  EXPECT_EQ(PhysAddr::hbm(1, 2, 0).describe(), "sip1.cube2.hbm+0x0");
  EXPECT_EQ(PhysAddr::io(0, 1, Region::pcie_window, 16).describe(), "sip0.io1.pcie+0x10");
}

}  // namespace
}  // namespace tutti::memory
