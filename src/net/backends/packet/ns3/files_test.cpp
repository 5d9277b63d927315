#include <gtest/gtest.h>

#include "base/error.h"
#include "net/backends/packet/ns3/combined_generator.h"
#include "net/backends/packet/ns3/config.h"
#include "net/backends/packet/ns3/topology_file.h"

namespace tutti::net::packet {
namespace {

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Ns3Files, AnUnknownKeyIsRefusedByNameAndLineWithAllOtherFaults) {
  const std::string why = error_of([] {
    parse_ns3_config("TOPOLOGY_FILE t\nCC_MOD 12\nHAS_WIN two\nRATE_AI 50\nCC_MODE 12\nL2_ACK_INTERVAL 1\n", "c", true);
  });
  EXPECT_NE(why.find("c:2: error: unknown key 'CC_MOD'; did you mean 'CC_MODE'?"), std::string::npos) << why;
  EXPECT_NE(why.find("c:3: error: HAS_WIN: 0 or 1 is needed, not 'two'"), std::string::npos) << why;
  EXPECT_NE(why.find("c:4: error: RATE_AI"), std::string::npos) << why;
}

TEST(Ns3Files, ATopologyWhoseCountOfLinksDiffersIsRefused) {
  const std::string why = error_of([] { parse_ns3_topology("3 1 1\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", "t"); });
  EXPECT_NE(why.find("1 links are announced in the first line, 2 follow"), std::string::npos) << why;
}

TEST(Ns3Files, NodesOutOfRangeSwitchesListedTwiceAndBareNumbersAreRefusedWithTheirLines) {
  const std::string why = error_of([] { parse_ns3_topology("3 2 2\n2 2\n0 2 400 1us 0\n7 2 1Gbps 5 0\n", "t"); });
  for (const char* part : {"t:2: error: switch 2 is listed twice", "t:3: error: '400' is not a rate", "t:4: error: '7'",
                           "t:4: error: '5' is not a delay"})
    EXPECT_NE(why.find(part), std::string::npos) << part << "\n" << why;
}

TEST(Ns3Files, RanksBeyondTheHostsOrOnSwitchesAreRefused) {
  const Topology t = parse_ns3_topology("3 1 2\n0\n1 0 1Gbps 1us 0\n2 0 1Gbps 1us 0\n", "t");
  EXPECT_NE(error_of([&] { parse_logical_topology("{\"logical-dims\": [\"3\"]}", "l", t); }).find("2 hosts"),
            std::string::npos);
  EXPECT_NE(error_of([&] { parse_logical_topology("{\"logical-dims\": [2]}", "l", t); }).find("a switch"),
            std::string::npos);
  EXPECT_EQ(parse_logical_topology("{\"logical-dims\": [2], \"hosts\": [2, 1]}", "l", t).hosts,
            (std::vector<int>{2, 1}));
}

// First outputs for six seeds of 12345 are published with the generator; for seeds of 1 the recurrence by hand gives
// p1 = 1403580 - 810728 = 592852 and p2 = 527612 - 1370589 = m2 - 842977.
TEST(Ns3Files, TheFirstNumberOfTheFirstStreamFollowsFromTheRecurrence) {
  const double p1 = 592852, p2 = 4294944443.0 - 842977, m1 = 4294967087.0;
  EXPECT_DOUBLE_EQ(CombinedGenerator(0, 0).next(), (p1 - p2 + m1) * 2.328306549295727688e-10);
}

}  // namespace
}  // namespace tutti::net::packet
