#include "device/hw_strict.h"

#include <gtest/gtest.h>

#include "device/test_machine.h"

namespace tutti::device {
namespace {

TEST(HwStrict, the_register_file_has_nine_registers_for_each_of_eight_ports) {
  EXPECT_EQ(register_file_bits, 4608u);
  EXPECT_EQ(port_registers.front(), "my_head");
  EXPECT_EQ(port_registers.back(), "peer_credit_tgt");
}

TEST(HwStrict, cycles_at_1_ghz_are_the_latencies_of_the_model_and_a_divider_costs_ten_more) {
  const MachineSpec::Ipcq hardware = hardware_latencies(8), model;
  EXPECT_EQ(hardware.send, model.send);
  EXPECT_EQ(hardware.recv, model.recv);
  EXPECT_EQ(hardware.meta, model.meta);
  EXPECT_EQ(hardware.credit_gen, model.credit_gen);
  EXPECT_EQ(hardware_latencies(6).send, model.send + Time::ns(10));
}

TEST(HwStrict, slots_that_the_hardware_cannot_count_are_refused) {
  IpcqConfig c;
  c.hw_strict = true;
  c.n_slots = 6;
  TestMachine m;
  EXPECT_THROW(m.pair(0, 1, c), ModelError);
  c.n_slots = 8;
  c.slot_size = 100;
  EXPECT_THROW(m.pair(0, 1, c), ModelError);
  c.slot_size = 128;
  m.pair(0, 1, c);
  c.hw_strict = false;
  c.n_slots = 6;
  TestMachine any;
  any.pair(0, 1, c);
}

}  // namespace
}  // namespace tutti::device
