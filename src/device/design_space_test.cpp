#include "device/design_space.h"

#include <gtest/gtest.h>

#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using exchange_test::two_sips;

TEST(DesignSpace, the_verdicts_of_the_adr_on_its_alternatives_hold_in_numbers) {
  const auto rows = compare_protocols(two_sips(), {}, {}, {});
  ASSERT_EQ(rows.size(), 15u);
  for (std::size_t d = 0; d < 3; ++d) {
    const ProtocolRow &ipcq = rows[5 * d], &rides = rows[5 * d + 1], &doorbell = rows[5 * d + 2],
                      &message_queue = rows[5 * d + 3], &completion = rows[5 * d + 4];
    EXPECT_GT(doorbell.times, 2);  // "2 to 3 times the latency"
    EXPECT_LT(doorbell.times, 3.1);
    EXPECT_LT(doorbell.gbs, ipcq.gbs);
    EXPECT_GT(message_queue.mm2, ipcq.mm2 + 0.049);  // "0.05 mm2 more"
    EXPECT_GT(message_queue.bytes, ipcq.bytes);
    EXPECT_GT(completion.latency, ipcq.latency);
    EXPECT_GT(completion.ring_bytes, ipcq.ring_bytes);
    EXPECT_LT(rides.packets, ipcq.packets);  // "credit packets disappear when both sides send"
    EXPECT_GE(rides.gbs, 0.99 * ipcq.gbs);
  }
}

TEST(DesignSpace, eight_slots_of_4_kib_cap_a_pair_across_sips_near_43_6_of_57_and_eleven_fill_it) {
  const auto t = two_sips();
  const auto rows = slots_against_rate(t, {}, {}, distances(t).back(), {4, 8, 10, 11, 16});
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_NEAR(rows[1].predicted_gbs, 43.6, 0.05 * 43.6);
  EXPECT_GT(rows[3].measured_gbs, 0.98 * 57);
  for (const SlotRow& r : rows) EXPECT_NEAR(r.measured_gbs, r.predicted_gbs, 0.02 * r.predicted_gbs) << r.n_slots;
}

TEST(DesignSpace, the_front_holds_what_nothing_beats_and_nothing_else) {
  const auto point = [](std::int64_t ns, double mm2, std::uint64_t bytes) {
    return DesignPoint{Protocol::ipcq, 1, 1, Time::ns(ns), mm2, bytes};
  };
  std::vector<DesignPoint> points = {point(10, 1, 100), point(10, 2, 100), point(5, 3, 100),
                                     point(20, 1, 50),  point(20, 1, 100), point(10, 1, 100)};
  mark_front(points);
  const bool expected[] = {true, false, true, true, false, true};  // equals do not beat each other
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].front, expected[i]) << i;
}

TEST(DesignSpace, more_slots_buy_time_for_tcm_across_sips) {
  const auto t = two_sips();
  IpcqConfig posted;
  posted.credit_wait = CreditWait::posted;
  const auto points = design_space(t, {}, posted, {}, distances(t).back(), 65536);
  Time fewest = Time::max(), most = Time::max();
  bool front = false;
  for (const DesignPoint& p : points) {
    front = front || p.front;
    EXPECT_LE(p.ring_bytes, 1u << 20);
    if (p.protocol != Protocol::ipcq || p.slot_size != 4096) continue;
    (p.n_slots == 1 ? fewest : most) = std::min(p.n_slots == 1 ? fewest : most, p.time);
  }
  EXPECT_TRUE(front);
  EXPECT_GT(fewest, most * 3);
}

}  // namespace
}  // namespace tutti::device
