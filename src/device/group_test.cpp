#include "device/group.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ipcq/errors.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using enum Direction;

GroupPlan ring_of_two(const IpcqConfig& c = {}) {
  return {{0, 1}, {{{E, 1, W}, {W, 1, E}}, {{E, 0, W}, {W, 0, E}}}, c};
}
struct Tables {
  TestMachine m;
  std::vector<IpcqInitMsg> tables = build_tables(m.machine().memory().map(), m.machine().ids(), ring_of_two());
  void check() { check_tables(m.machine().ids(), {0, 1}, tables); }
};

TEST(Group, all_rings_are_placed_before_any_table_refers_to_them) {
  Tables t;
  ASSERT_EQ(t.tables[0].entries.size(), 2u);
  EXPECT_EQ(t.tables[0].entries[0].peer.rx_base_pa, t.tables[1].entries[1].my_rx_base_pa);  // E of 0 into W of 1
  EXPECT_EQ(t.tables[1].entries[1].peer.rx_base_pa, t.tables[0].entries[0].my_rx_base_pa);
  t.check();
}

TEST(Group, a_peer_whose_port_does_not_lead_back_is_refused) {
  Tables t;
  t.tables[1].entries[1].peer.rx_base_pa = t.tables[0].entries[1].my_rx_base_pa;
  EXPECT_THROW(t.check(), ModelError);
}

TEST(Group, both_ports_of_a_ring_of_two_are_checked) {
  Tables t;  // each port leads to the right peer, but both into one ring of it
  t.tables[0].entries[1].peer.rx_base_pa = t.tables[0].entries[0].peer.rx_base_pa;
  EXPECT_THROW(t.check(), ModelError);
}

TEST(Group, mixed_buffer_kinds_are_refused) {
  Tables t;
  t.tables[1].buffer_kind = BufferKind::hbm;
  EXPECT_THROW(t.check(), ModelError);
}

TEST(Group, a_belief_in_another_geometry_is_refused) {
  Tables t;
  t.tables[0].entries[0].peer.n_slots = 4;
  EXPECT_THROW(t.check(), ModelError);
}

TEST(Group, rings_that_do_not_fit_are_refused) {
  IpcqConfig c;
  c.n_slots = 64;
  c.slot_size = 64 << 10;  // 2 x 4 MiB in a region of 1 MiB
  TestMachine m;
  EXPECT_THROW(m.machine().install(ring_of_two(c)), IpcqRegionOverflow);
}

TEST(Group, plans_that_cannot_be_are_refused) {
  TestMachine m;
  EXPECT_THROW(m.machine().install({{0, 0}, {{}, {}}, {}}), ModelError);
  EXPECT_THROW(m.machine().install({{0, 99}, {{}, {}}, {}}), ModelError);
  EXPECT_THROW(m.machine().install({{0, 1}, {{{E, 2, W}}, {}}, {}}), ModelError);
  EXPECT_THROW(m.machine().install({{0, 1}, {{{E, 0, W}}, {}}, {}}), ModelError);
  EXPECT_THROW(m.machine().install({{0, 1}, {{{E, 1, W}}, {}}, {}}), ModelError);  // nothing leads back
}

}  // namespace
}  // namespace tutti::device
