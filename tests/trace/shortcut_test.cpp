// Rings in lockstep are computed without an event a message: every time, byte and link must be as with events.
#include <gtest/gtest.h>

#include <random>

#include "case.h"

namespace tutti::workload {
namespace {

std::string summary(const RunResult& r) {
  std::string text;
  for (const RankResult& one : r.ranks)
    text += (one.finish ? to_ns(*one.finish) : "-") + " " + std::to_string(one.bytes_sent) + " " + std::to_string(one.bytes_received) + " " + to_ns(one.time.exposed_comm) + "\n";
  std::vector<std::string> links;
  for (const auto& l : r.links) links.push_back(l.id + " " + std::to_string(l.bytes) + " " + to_ns(l.busy) + "\n");
  std::sort(links.begin(), links.end());
  for (const auto& l : links) text += l;
  return text + std::to_string(r.messages);
}

TEST(Shortcuts, ChangeNothingButTheNumberOfEvents) {
  unsigned fewer_events = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const char* const shapes[] = {"Ring", "FullyConnected", "Switch"};
    const bool two = below(4) == 0;
    const unsigned n0 = 2 + below(7), n1 = two ? 2 + below(2) : 1, n = n0 * n1;
    const std::string shape = shapes[below(3)];
    Case c(two ? network_text(shape + ", Switch", std::to_string(n0) + ", " + std::to_string(n1), "50, 30", "500, 70") : network_text(shape, std::to_string(n0), std::to_string(1 + below(400)), std::to_string(below(2000))));
    c.settings.astra = below(2) == 0;
    c.settings.backend = below(2) == 0 ? "aware" : "unaware";
    c.settings.queues_per_dimension = 1 + below(2);
    c.settings.mtu = Bytes(1 + below(9000));
    c.system = SystemText{.algorithms = two ? R"("ring", "ring")" : "\"ring\"", .splits = 1 + static_cast<int>(below(4)), .active = 1 + static_cast<int>(below(2)), .endpoint = static_cast<int>(below(3) * 37), .memory = below(2) == 0 ? "50" : "1600"}.text();
    const bool skewed = below(3) == 0, with_receives = below(4) == 0;
    const CollectiveKind kinds[] = {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_to_all};
    const unsigned collectives = 1 + below(3);
    std::vector<std::pair<CollectiveKind, std::int64_t>> calls;
    for (unsigned k = 0; k < collectives; ++k) calls.emplace_back(kinds[below(4)], below(2) == 0 ? 1 + below(100000) : std::int64_t{n} * 12 * (1 + below(5000)));
    for (unsigned r = 0; r < n; ++r) {
      auto& nodes = c.nodes[r];
      nodes.push_back(compute(1, skewed ? below(60) : 5));
      for (unsigned k = 0; k < collectives; ++k) nodes.push_back(collective(10 + k, calls[k].first, calls[k].second, {k == 0 ? 1 : 9 + k}));
      if (with_receives && r == 0) nodes.push_back(send(50, 1, 5000, 3, {9 + collectives}));
      if (with_receives && r == 1) nodes.push_back(receive(50, 0, 5000, 3));
      if (below(3) == 0) nodes.push_back(compute(60, 7, {10}));
    }
    c.settings.shortcuts = true;
    const RunResult fast = c.run();
    c.settings.shortcuts = false;
    const RunResult slow = c.run();
    ASSERT_EQ(summary(fast), summary(slow)) << "seed " << seed;
    fewer_events += fast.events < slow.events;
  }
  EXPECT_GT(fewer_events, 50U);  // else this test shows nothing
}

}  // namespace
}  // namespace tutti::workload
