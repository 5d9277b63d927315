#include "net/network_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::net {
namespace {

std::string fault(const std::string& text) {
  try {
    parse_network_file(text, "network.yml");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(NetworkFile, ReadsTheFourListsWithTheFormatsUnits) {
  const NetworkFile f = parse_network_file(
      "topology: [ Ring, Switch ] # a comment\nlatency: [ 500.0, 1.5 ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 50.0, 100 "
      "]\n",
      "n");
  ASSERT_EQ(f.dimensions.size(), 2U);
  EXPECT_EQ(f.ranks(), 8U);
  EXPECT_EQ(f.dimensions[0].shape, Shape::ring);
  EXPECT_EQ(f.dimensions[1].shape, Shape::switched);
  EXPECT_DOUBLE_EQ(f.dimensions[0].bytes_per_ns, 53.6870912);  // GB/s of 2^30 bytes
  EXPECT_EQ(f.dimensions[0].rate, Bandwidth::bits_per_second(429496729600));
  EXPECT_EQ(f.dimensions[1].latency, Time::ps(1500));
}

TEST(NetworkFile, UnitsMayBeWritten) {
  const NetworkFile f =
      parse_network_file("topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 400Gbps ]\nlatency: [ 1.5us ]\n", "n");
  EXPECT_DOUBLE_EQ(f.dimensions[0].bytes_per_ns, 50.0);
  EXPECT_DOUBLE_EQ(f.dimensions[0].latency_ns, 1500.0);
}

TEST(NetworkFile, EveryFaultIsListedWithItsPlace) {
  const std::string text = fault("topology: [ Rign ]\nnpus_count: [ 1 ]\nbandwidth: [ -3 ]\nlatency: [ x ]\n");
  EXPECT_NE(text.find("network.yml:1:13: error: topology: unknown shape 'Rign'; known: Ring, FullyConnected, Switch"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("network.yml:2:15: error: npus_count"), std::string::npos) << text;
  EXPECT_NE(text.find("network.yml:3:14: error: bandwidth"), std::string::npos) << text;
  EXPECT_NE(text.find("network.yml:4:12: error: latency"), std::string::npos) << text;
}

TEST(NetworkFile, WrongFormsAreRefused) {
  EXPECT_NE(
      fault("topology: Ring\nnpus_count: [ 4 ]\nbandwidth: [ 1 ]\nlatency: [ 1 ]\n").find("topology: a list is needed"),
      std::string::npos);
  EXPECT_NE(fault("topology: [ Ring ]\nnpus_count: [ 4, 4 ]\nbandwidth: [ 1 ]\nlatency: [ 1 ]\n")
                .find("2 entries, but topology has 1"),
            std::string::npos);
  EXPECT_NE(fault("topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 1 ]\n").find("key 'latency' is missing"),
            std::string::npos);
  EXPECT_NE(
      fault("topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 1 ]\nlatency: [ 1 ]\nlatency: [ 2 ]\n").find("twice"),
      std::string::npos);
  EXPECT_NE(fault("topology: [ Ring, Ring ]\nnpus_count: [ 100000, 100000 ]\nbandwidth: [ 1, 1 ]\nlatency: [ 1, 1 ]\n")
                .find("more than"),
            std::string::npos);
  EXPECT_NE(fault("PACKET_PAYLOAD_SIZE 1000\n").find("ns-3"), std::string::npos);
  EXPECT_NE(fault("topology: [ Ring\n").find("error"), std::string::npos);
  EXPECT_NE(fault("").find("not an analytical network file"), std::string::npos);
}

}  // namespace
}  // namespace tutti::net
