#include "device/ipcq/port_set.h"

#include <gtest/gtest.h>

#include "device/ipcq/errors.h"
#include "device/ipcq/poll.h"

namespace tutti::device {
namespace {

IpcqInitMsg two_rank_ring() {
  IpcqInitMsg m;
  IpcqEndpoint east, west;
  east.n_slots = west.n_slots = 2;
  east.slot_size = west.slot_size = 64;
  east.rx_base_pa = 0x9000;  // the same peer, its W and its E ring
  west.rx_base_pa = 0x8000;
  m.entries = {{Direction::E, east, 0x1000, 0, 2, 64}, {Direction::W, west, 0x1080, 0, 2, 64}};
  return m;
}

IpcqDmaToken to(std::uint64_t address, std::uint32_t sequence) {
  IpcqDmaToken t;
  t.dst_addr = address;
  t.sender_seq = sequence;
  return t;
}

TEST(PortSet, a_two_rank_ring_tells_its_ports_apart_by_address) {
  IpcqPortSet ports("pe0", two_rank_ring(), Bytes(256));
  EXPECT_EQ(ports.ring_of(0x1040).direction, Direction::E);
  EXPECT_EQ(ports.ring_of(0x1080).direction, Direction::W);
  IpcqCreditMetadata credit;
  credit.dst_rx_base_pa = 0x8000;
  EXPECT_EQ(ports.sender_of(credit).direction, Direction::W);
  credit.dst_rx_base_pa = 0x7000;
  EXPECT_THROW(ports.sender_of(credit), ViolationError);
  EXPECT_THROW(ports.ring_of(0x1100), ViolationError);
}

TEST(PortSet, an_uninstalled_port_is_refused_at_once) {
  IpcqPortSet ports("pe0", two_rank_ring(), Bytes(256));
  EXPECT_THROW(ports.at(Direction::N), IpcqInvalidDirection);
}

TEST(PortSet, rings_must_fit_the_region_and_not_overlap) {
  EXPECT_THROW(IpcqPortSet("pe0", two_rank_ring(), Bytes(255)), IpcqRegionOverflow);
  auto m = two_rank_ring();
  m.entries[1].my_rx_base_pa = 0x1040;
  EXPECT_THROW(IpcqPortSet("pe0", m, Bytes(256)), ModelError);
}

TEST(PortSet, recv_any_takes_turns_between_ports_with_data) {
  IpcqPortSet ports("pe0", two_rank_ring(), Bytes(256));
  EXPECT_FALSE(ports.next_any(Fairness::weak));
  ports.ring_of(0x1000).arrive(to(0x1000, 0));
  ports.ring_of(0x1040).arrive(to(0x1040, 1));
  ports.ring_of(0x1080).arrive(to(0x1080, 0));
  std::vector<Direction> order;
  while (const auto d = ports.next_any(Fairness::weak)) {
    order.push_back(*d);
    ports.at(*d).take_receive();
  }
  EXPECT_EQ(order, (std::vector{Direction::E, Direction::W, Direction::E}));
}

TEST(PortSet, strict_fairness_serves_the_port_that_was_served_least) {
  for (const auto fairness : {Fairness::weak, Fairness::strict}) {
    IpcqPortSet ports("pe0", two_rank_ring(), Bytes(256));
    auto& east = ports.at(Direction::E);
    for (std::uint32_t s = 0; s < 2; ++s) {
      east.arrive(to(0x1000 + s * 64, s));
      ASSERT_EQ(ports.next_any(fairness), Direction::E);
      east.release(east.take_receive());
    }
    for (std::uint32_t s = 0; s < 2; ++s) {
      east.arrive(to(0x1000 + s * 64, s + 2));
      ports.at(Direction::W).arrive(to(0x1080 + s * 64, s));
    }
    std::vector<Direction> order;
    while (const auto d = ports.next_any(fairness)) {
      order.push_back(*d);
      ports.at(*d).take_receive();
    }
    using enum Direction;
    EXPECT_EQ(order, fairness == Fairness::weak ? (std::vector{W, E, W, E}) : (std::vector{W, W, E, E}));
  }
}

TEST(PortSet, a_kernel_that_keeps_a_slot_leaks) {
  IpcqPortSet ports("pe0", two_rank_ring(), Bytes(256));
  ports.check_no_leak();
  auto& port = ports.ring_of(0x1000);
  port.arrive(to(0x1000, 0));
  EXPECT_THROW(ports.check_no_leak(), IpcqLeak);
  const auto slot = port.take_receive();
  EXPECT_THROW(ports.check_no_leak(), IpcqLeak);
  port.release(slot);
  ports.check_no_leak();
}

}  // namespace
}  // namespace tutti::device
