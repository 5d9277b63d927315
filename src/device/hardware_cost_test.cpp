#include "device/hardware_cost.h"

#include <gtest/gtest.h>

#include "device/test_exchange.h"
#include "device/transfer.h"

namespace tutti::device {
namespace {

using exchange_test::two_sips;

// The table of ADR-0023 D21.
TEST(HardwareCost, area_at_the_point_of_the_adr_is_the_adrs) {
  const HardwareCost c = hardware_cost({});
  ASSERT_EQ(c.area.size(), 4u);
  EXPECT_EQ(c.area[0].flip_flops, 4608);  // "4.6K FF", 576 B
  EXPECT_EQ(c.area[1].gates, 5000);
  EXPECT_EQ(c.area[2].gates, 3000);
  EXPECT_EQ(c.area[3].gates, 2000);
  const double quoted[] = {0.002, 0.001, 0.001, 0.002};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(c.area[i].adr_mm2, quoted[i]);
  EXPECT_NEAR(c.adr_mm2, 0.006, 1e-12);
  EXPECT_NEAR(c.adr_mm2 - 0.002, 0.004, 1e-12);  // the controller
  // One density for all gates fits the first two rows, and shows where the ADR rounds up.
  EXPECT_NEAR(c.area[0].model_mm2, 0.002, 1e-6);
  EXPECT_NEAR(c.area[1].model_mm2, 0.001, 1e-9);
  EXPECT_NEAR(c.area[2].model_mm2, 0.0006, 1e-9);
  EXPECT_NEAR(c.area[3].model_mm2, 0.0004, 1e-9);
  EXPECT_EQ(c.nand2, 6 * 4608 + 10'000);
}

TEST(HardwareCost, delays_at_the_point_of_the_adr_are_the_adrs_and_fit_a_cycle) {
  const HardwareCost c = hardware_cost({});
  const double quoted[] = {0.3, 0.5, 0.4, 0.3}, margins[] = {3, 2, 2.5, 3};
  ASSERT_EQ(c.timing.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(c.timing[i].delay_ns, quoted[i], 1e-9);
    EXPECT_EQ(c.timing[i].cycles, 1);
    EXPECT_GE(c.timing[i].margin, margins[i] - 1e-9);
    EXPECT_LT(c.timing[i].margin, margins[i] + 0.5);
  }
}

TEST(HardwareCost, power_is_a_milliwatt_at_work_and_leakage_at_rest) {
  const HardwareCost c = hardware_cost({});
  EXPECT_NEAR(c.active_mw, 1, 1e-12);
  EXPECT_LT(c.idle_mw, 0.05);
  HardwareParameters fast;
  fast.clock_ghz = 2;
  EXPECT_NEAR(hardware_cost({}, fast).active_mw, 2, 1e-12);
}

TEST(HardwareCost, it_grows_with_ports_and_slots_and_a_divider_costs_gates_and_ten_cycles) {
  HardwareParameters half;
  half.ports = 4;
  EXPECT_EQ(hardware_cost({}, half).area[0].flip_flops, 2304);
  EXPECT_NEAR(hardware_cost({}, half).adr_mm2, 0.002 + 0.002, 1e-12);
  IpcqConfig q;
  EXPECT_EQ(hardware_cost(q).ring_bytes, 8u * 8 * 4096);
  q.n_slots = 11;
  const HardwareCost c = hardware_cost(q);
  EXPECT_EQ(c.area[2].gates, 3500);
  EXPECT_EQ(c.timing[1].cycles, 11);
  q.n_slots = 8, q.slot_size = 65536;
  EXPECT_EQ(hardware_cost(q).ring_bytes, 4u << 20);  // "4 MB, a quarter of the TCM"
}

TEST(HardwareCost, a_message_queue_adds_eight_times_the_whole_and_a_doorbell_leaves_the_controller_out) {
  IpcqConfig q;
  q.protocol = Protocol::message_queue;
  EXPECT_NEAR(hardware_cost(q).adr_mm2, 0.056, 1e-12);
  q.protocol = Protocol::doorbell;
  EXPECT_NEAR(hardware_cost(q).adr_mm2, 0.002, 1e-12);
  EXPECT_TRUE(hardware_cost(q).timing.empty());
}

TEST(HardwareCost, energy_counts_bits_times_millimetres_and_crossings) {
  TestMachine m(two_sips());
  const auto energy = [&](std::int32_t to) {
    const auto a = m.pe(0).node(), b = m.pe(to).node();
    return message_energy(m.machine().fabric().graph(), m.machine().fabric().path(a, b),
                          m.machine().fabric().path(b, a), 4096, 16);
  };
  const double bits = 8 * 4096, all = 8 * (4096 + 16);
  const auto in_cube = energy(1), cubes = energy(4), sips = energy(16);
  EXPECT_NEAR(in_cube[0].pj, 4, 1e-9);
  EXPECT_NEAR(in_cube[1].pj, 3 * bits * 0.01, 1e-6);
  EXPECT_NEAR(in_cube[2].pj, all * 3 * 0.08, 1e-6);  // one hop of 3 mm
  EXPECT_EQ(in_cube[3].pj + in_cube[4].pj, 0);
  EXPECT_NEAR(cubes[3].pj, all * 0.5, 1e-6);
  EXPECT_NEAR(sips[4].pj, all * 5.5, 1e-6);
  EXPECT_NEAR(sips[3].pj, all * 0.5 * 2, 1e-6);  // to the IO chiplet and from it
}

TEST(Transfer, an_exchange_needs_no_credit_packets_when_credits_ride_in_data) {
  IpcqConfig q;
  const Transfer alone = measure_transfer(two_sips(), {}, q, 0, 1, 256, 40, true);
  q.protocol = Protocol::credit_in_data;
  const Transfer rides = measure_transfer(two_sips(), {}, q, 0, 1, 256, 40, true);
  EXPECT_DOUBLE_EQ(alone.packets, 2);
  EXPECT_DOUBLE_EQ(alone.bytes, 256 + 16);
  EXPECT_NEAR(rides.packets, 1, 0.05);  // the last credits go alone
  EXPECT_NEAR(rides.bytes, 256 + 8, 1);
  EXPECT_LT(rides.total, alone.total);
}

TEST(Transfer, each_protocol_has_the_traffic_of_its_definition) {
  const auto of = [](Protocol p) {
    IpcqConfig q;
    q.protocol = p;
    return measure_transfer(two_sips(), {}, q, 0, 4, 1024, 20);
  };
  EXPECT_DOUBLE_EQ(of(Protocol::ipcq).bytes, 1024 + 16);
  EXPECT_DOUBLE_EQ(of(Protocol::doorbell).packets, 4);  // data, fence, doorbell, credit word
  EXPECT_DOUBLE_EQ(of(Protocol::doorbell).bytes, 1024 + 0 + 8 + 8);
  EXPECT_DOUBLE_EQ(of(Protocol::message_queue).packets, 3);
  EXPECT_DOUBLE_EQ(of(Protocol::message_queue).bytes, 1024 + 64 + 16);
  EXPECT_DOUBLE_EQ(of(Protocol::completion_queue).packets, 3);
  EXPECT_DOUBLE_EQ(of(Protocol::completion_queue).bytes, 1024 + 16 + 16);
}

}  // namespace
}  // namespace tutti::device
