#include "base/units.h"

#include <gtest/gtest.h>

namespace tutti {
namespace {

template <class T>
T parsed(const char* text) {
  T out;
  std::string why;
  EXPECT_TRUE(parse(text, out, why)) << why;
  return out;
}

template <class T>
std::string refusal(const char* text) {
  T out;
  std::string why;
  EXPECT_FALSE(parse(text, out, why)) << text;
  return why;
}

TEST(Units, AreParsedExactly) {
  EXPECT_EQ(parsed<Time>("0.005ms"), Time::us(5));
  EXPECT_EQ(parsed<Time>("500 ns"), Time::ns(500));
  EXPECT_EQ(parsed<Time>("-1.5us"), Time::ps(-1'500'000));
  EXPECT_EQ(parsed<Time>("1e3 ps"), Time::ns(1));
  EXPECT_EQ(parsed<Bytes>("4 KiB"), Bytes(4096));
  EXPECT_EQ(parsed<Bytes>("4 KB"), Bytes(4000));
  EXPECT_EQ(parsed<Bandwidth>("400Gbps"), parsed<Bandwidth>("50 GB/s"));
}

TEST(Units, ABareNumberIsRefused) { EXPECT_NE(refusal<Time>("500").find("no unit"), std::string::npos); }

TEST(Units, AnUnknownUnitNamesTheKnownOnes) { EXPECT_NE(refusal<Bytes>("4 kib").find("KiB"), std::string::npos); }

TEST(Units, ValuesThatDoNotFitAreRefused) {
  refusal<Time>("9223373 s");
  refusal<Bytes>("99999999999999999999999999999999 B");
  refusal<Bandwidth>("ten GB/s");
}

TEST(Units, ArePrintedWithAFittingUnit) {
  EXPECT_EQ(to_string(Time::ps(1'500'000)), "1.5 us");
  EXPECT_EQ(to_string(Bytes(65536)), "64 KiB");
  EXPECT_EQ(to_string(Bandwidth::gb_per_s(50)), "50 GB/s");
  EXPECT_EQ(to_ns(Time::ps(12'345'678)), "12345.678");
  EXPECT_EQ(to_ns(Time::ps(-20'500)), "-20.5");
}

TEST(SerializationTime, RoundsUpAndSaturates) {
  EXPECT_EQ(serialization_time(Bytes(4096), Bandwidth::gb_per_s(128)), Time::ns(32));
  EXPECT_EQ(serialization_time(Bytes(10), Bandwidth::gb_per_s(3)), Time::ps(3334));
  EXPECT_EQ(serialization_time(Bytes(INT64_MAX), Bandwidth::bits_per_second(1)), Time::max());
}

}  // namespace
}  // namespace tutti
