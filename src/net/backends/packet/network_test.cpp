#include "net/backends/packet/network.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::net::packet {
namespace {

struct Ends final : FlowListener {
  explicit Ends(sim::Simulation& s) : simulation(s) {}
  void delivered(Flow&) override { arrived = simulation.now().ps() / 1000; }
  void acknowledged(Flow&) override { done = simulation.now().ps() / 1000; }
  sim::Simulation& simulation;
  std::int64_t arrived = -1, done = -1;
};

Settings reference() {
  Settings s;
  s.astra = true;
  s.congestion = Congestion::none;
  s.ecn = false;
  s.global_window = false;
  s.variable_window = true;
  return s;
}

/// host 0 - switches - host 1, all links alike.
std::int64_t one_message(int switches, std::uint64_t rate, std::int64_t delay, std::uint64_t bytes) {
  Topology t{switches + 2, std::vector<bool>(static_cast<std::size_t>(switches + 2), true), {}};
  t.is_switch[0] = t.is_switch[1] = false;
  int last = 0;
  for (int i = 0; i < switches; ++i) t.cables.push_back({last, i + 2, rate, delay}), last = i + 2;
  t.cables.push_back({last, 1, rate, delay});
  sim::Simulation s;
  Network n(s, t, reference());
  Ends ends(s);
  n.start(0, 1, bytes, &ends, nullptr);
  s.run();
  return ends.done;
}

TEST(PacketNetwork, AnExactHalfNanosecondIsRoundedDown) {
  EXPECT_EQ(transmission_ns(1025, 400'000'000'000), 20);
  EXPECT_EQ(transmission_ns(1036, 400'000'000'000), 21);
  EXPECT_EQ(transmission_ns(48, 400'000'000'000), 1);
}
// Reference: one MiB at 400 Gbps over one switch of 500 ns links.
TEST(PacketNetwork, AMessageOverOneSwitchTakesTheReferenceTime) {
  EXPECT_EQ(one_message(1, 400'000'000'000, 500, 1 << 20), 24'043);
}
// Reference: the last ACK waits behind the one before it when the last packet is shorter than an ACK.
TEST(PacketNetwork, AShortLastPacketsAckWaitsBehindTheOneBefore) {
  EXPECT_EQ(one_message(1, 100'000'000'000, 500, 1001), 2178);
}
// (h+1) (t' + d) + (h+1) (a + d) with t' = 21, a = 1, h = 3.
TEST(PacketNetwork, ASinglePacketPaysEachHopOnce) {
  EXPECT_EQ(one_message(3, 400'000'000'000, 5000, 1000), 4 * (21 + 5000) + 4 * (1 + 5000));
}
TEST(PacketNetwork, AnUnreachableHostIsAnError) {
  sim::Simulation s;
  Network n(s, {2, {false, false}, {}}, reference());
  EXPECT_THROW(n.start(0, 1, 1, nullptr, nullptr), ConfigError);
}

}  // namespace
}  // namespace tutti::net::packet
