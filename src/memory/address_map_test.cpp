#include "memory/address_map.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::memory {
namespace {

const MemoryGeometry two{2, 2, 4};

TEST(AddressMap, every_memory_answers_at_its_address_under_its_name) {
  AddressMap map(two);
  EXPECT_EQ(map.resolve(PhysAddr::tcm(1, 1, 3, 0x40).encode()).space->name(), "sip1.cube1.pe3.tcm");
  EXPECT_EQ(map.resolve(PhysAddr::tcm(1, 1, 3, 0x40).encode()).offset, 0x40u);
  EXPECT_EQ(map.resolve(PhysAddr::sram(0, 1, 5).encode()).space->name(), "sip0.cube1.sram");
  EXPECT_EQ(map.resolve(PhysAddr::hbm(1, 0, 5).encode()).space->name(), "sip1.cube0.hbm");
  EXPECT_THROW(map.resolve(PhysAddr::tcm(0, 0, 4, 0).encode()), ModelError);
  EXPECT_THROW(map.resolve(PhysAddr::hbm(2, 0, 0).encode()), ModelError);
  EXPECT_THROW(map.resolve(PhysAddr::hbm(0, 2, 0).encode()), ModelError);
  EXPECT_THROW(map.resolve(PhysAddr::pe_local(0, 0, 0, Unit::ipcq_csr, 0).encode()), ModelError);
}

TEST(AddressMap, what_is_allocated_never_overlaps_and_stays_in_its_memory) {
  AddressMap map(two);
  struct Range {
    std::uint64_t first, end;
  };
  std::vector<Range> all;
  for (const auto kind : {MemoryKind::tcm, MemoryKind::sram, MemoryKind::hbm})
    for (unsigned sip = 0; sip < 2; ++sip)
      for (unsigned cube = 0; cube < 2; ++cube)
        for (unsigned pe = 0; pe < 4; ++pe)
          for (const std::uint64_t bytes : {1u, 64u, 1000u}) {
            for (const auto a :
                 {map.allocate(kind, {sip, cube, pe}, bytes), map.allocate_ring(kind, {sip, cube, pe}, bytes)}) {
              EXPECT_EQ(a.encode() % 64, 0u);
              const auto place = map.resolve(a.encode());
              EXPECT_LE(place.offset + bytes, place.space->size());
              for (const Range& r : all) ASSERT_TRUE(a.encode() + bytes <= r.first || a.encode() >= r.end);
              all.push_back({a.encode(), a.encode() + bytes});
            }
          }
}

TEST(AddressMap, rings_lie_in_the_region_of_the_spec_and_no_more_than_it_holds) {
  AddressMap map(two);
  EXPECT_EQ(map.ring_capacity(MemoryKind::tcm), 1u << 20);
  EXPECT_EQ(map.allocate_ring(MemoryKind::tcm, {0, 0, 1}, 1u << 20), PhysAddr::tcm(0, 0, 1, 0xE00000));
  try {
    map.allocate_ring(MemoryKind::tcm, {0, 0, 1}, 1);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("sip0.cube0.pe1"), std::string::npos) << e.what();
  }
  EXPECT_THROW(map.allocate(MemoryKind::tcm, {0, 0, 0}, 0xE00001), ModelError);
  EXPECT_THROW(map.allocate(MemoryKind::tcm, {0, 0, 4}, 1), ModelError);
}

TEST(AddressMap, geometry_that_cannot_be_is_refused) {
  EXPECT_THROW(AddressMap({17, 1, 1}), ConfigError);
  EXPECT_THROW(AddressMap({1, 1, 0}), ConfigError);
  MemoryGeometry g = two;
  g.ipcq_bytes = (1u << 20) + 1;
  EXPECT_THROW(AddressMap{g}, ConfigError);
}

TEST(AddressMap, written_bytes_are_visited_at_their_addresses) {
  AddressMap map(two);
  const std::vector<PhysAddr> places = {PhysAddr::tcm(1, 0, 3, 64), PhysAddr::sram(0, 1, 128),
                                        PhysAddr::hbm(1, 1, 256)};
  for (const PhysAddr a : places) map.write(a.encode(), std::array{std::byte{7}});
  std::vector<PhysAddr> seen;
  map.each_written([&](std::uint64_t address, std::span<const std::byte> bytes) {
    EXPECT_EQ(bytes.size(), 1u);
    seen.push_back(PhysAddr::decode(address));
  });
  EXPECT_EQ(seen, places);
}

}  // namespace
}  // namespace tutti::memory
