#include "device/conformance.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using enum Direction;

class Conformance : public testing::Test {
 protected:
  ConformanceChecker model{[](std::int32_t, Direction) { return ConformanceChecker::Ring{2, 0}; }};
  static MessageKey key(std::uint64_t n) { return {1, W, n}; }
  void send(std::uint64_t n) { model.send_issued({key(n), 0, E, 0, 0, 0, {}}, Time()); }
  void arrive(std::uint64_t n) { model.slot_written(key(n), Time()); }
  void receive(std::uint64_t n) { model.received({key(n), 0, 0, {}}, Time()); }
  void release(std::uint64_t n) { model.released(key(n), Time()); }
  void credit(std::uint64_t n) { model.credited(key(n), Time()); }
};

TEST_F(Conformance, the_models_own_runs_are_accepted) {
  send(0), send(1), arrive(1), arrive(0), receive(0), receive(1), release(1), release(0), credit(2), send(2), arrive(2);
  EXPECT_EQ(model.transitions(), 11u);
}

// The mutants of tests/model/ipcq.pml, as runs.
TEST_F(Conformance, a_send_without_a_free_slot_is_no_transition) {
  send(0), send(1);
  EXPECT_THROW(send(2), ViolationError);
}
TEST_F(Conformance, a_receive_before_the_data_or_out_of_order_is_no_transition) {
  send(0), send(1), arrive(1);
  EXPECT_THROW(receive(0), ViolationError);
  EXPECT_THROW(receive(1), ViolationError);
}
TEST_F(Conformance, an_arrival_that_repeats_is_no_transition) {
  send(0), arrive(0);
  EXPECT_THROW(arrive(0), ViolationError);
  receive(0), release(0);
  EXPECT_THROW(arrive(0), ViolationError);
}
TEST_F(Conformance, a_credit_before_the_release_or_backwards_is_no_transition) {
  send(0), send(1), arrive(0), arrive(1), receive(0), receive(1);
  EXPECT_THROW(credit(1), ViolationError);
  release(0), credit(1);
  EXPECT_THROW(credit(2), ViolationError);
  EXPECT_THROW(credit(1), ViolationError);
}
TEST_F(Conformance, a_slot_is_released_once_and_only_if_it_is_held) {
  send(0), arrive(0);
  EXPECT_THROW(release(0), ViolationError);
  receive(0), release(0);
  EXPECT_THROW(release(0), ViolationError);
}

TEST_F(Conformance, every_machine_of_these_tests_is_checked) {
  TestMachine m;
  exchange_test::exchange(m, 0, 1, 64);
  EXPECT_EQ(m.transitions(), 5u);  // send, arrive, receive, release, credit
}

}  // namespace
}  // namespace tutti::device
