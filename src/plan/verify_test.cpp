#include "plan/verify.h"

#include <gtest/gtest.h>

#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

using testing::Test;

/// A schedule with one stream a rank, step by step.
using Steps = std::vector<std::vector<Step>>;

Generator<Step> replay(std::vector<Step> steps) {
  for (const Step& s : steps) co_yield s;
}

Schedule written(Collective c, Steps steps, int streams = 1) {
  Schedule s;
  s.collective = c;
  s.in_place = c.can_be_in_place();
  s.streams = streams;
  s.steps = [steps, streams](int rank, int stream) {
    return replay(steps[static_cast<std::size_t>(rank * streams + stream)]);
  };
  return s;
}

Slice out(std::int64_t begin, std::int64_t count) { return {Buffer::output, begin, count}; }
Collective all_reduce(int ranks, std::int64_t count) { return {CollectiveKind::all_reduce, ranks, count, 0, {}, {}}; }

/// Two ranks: 1 gives to 0, which gives the sum back.
Steps star() {
  return {{receive_reduce(1, out(0, 4)), send(1, out(0, 4))}, {send(0, out(0, 4)), receive(0, out(0, 4))}};
}

std::string fault(const Schedule& s, Target t = {}) {
  const Proof p = verify(s, t);
  EXPECT_EQ(p.holds, p.counter_example.empty());
  return p.counter_example;
}

TEST(verify, a_right_schedule_holds_and_its_steps_are_counted) {
  const Proof p = verify(written(all_reduce(2, 4), star()));
  EXPECT_TRUE(p.holds) << p.counter_example;
  EXPECT_EQ(p.steps, 4);
  EXPECT_EQ(p.messages, 2);
}

TEST(verify, one_rank_alone_has_its_own_contribution) { EXPECT_TRUE(verify(written(all_reduce(1, 4), {{}})).holds); }

TEST(verify, a_rank_that_lacks_a_contribution_is_named_with_the_element) {
  Steps s = star();
  s[1][0] = send(0, out(0, 3)), s[0][0] = receive_reduce(1, out(0, 3));
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "rank 0 ends with output[3] without the contribution of rank 1; it has those of 0");
}

TEST(verify, a_contribution_added_twice_is_named_with_the_step) {
  Steps s = star();
  s[0].insert(s[0].begin() + 1, receive_reduce(1, out(2, 1)));
  s[1].insert(s[1].begin() + 1, send(0, out(2, 1)));
  EXPECT_EQ(
      fault(written(all_reduce(2, 4), s)),
      "rank 0 stream 0 step 1 (receive_reduce output[2..3) from 1 on channel 0): output[2] holds the contributions "
      "of ranks 0-1 and gets 1: that of rank 1 twice");
}

TEST(verify, adding_different_elements_is_refused) {
  Steps s = star();
  s[0][0] = receive_reduce(1, out(0, 3)), s[1][0] = send(0, out(1, 3));
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "rank 0 stream 0 step 0 (receive_reduce output[0..3) from 1 on channel 0): output[0] holds element 0, to "
            "which element 1 is added");
}

TEST(verify, a_wrong_element_in_the_output_is_named) {
  const Collective c{CollectiveKind::broadcast, 2, 4, 0, {}, {}};
  EXPECT_EQ(
      fault(written(c, {{send(1, out(1, 2)), send(1, out(0, 2))}, {receive(0, out(0, 2)), receive(0, out(2, 2))}})),
      "rank 1 ends with element 1 in output[0], not element 0");
}

TEST(verify, reading_what_was_never_written_is_refused) {
  const Collective c{CollectiveKind::broadcast, 2, 4, 0, {}, {}};
  EXPECT_EQ(fault(written(c, {{}, {send(0, out(2, 2))}})),
            "rank 1 stream 0 step 0 (send output[2..4) to 0 on channel 0): output[2] was never written");
}

TEST(verify, messages_and_receives_of_different_sizes_are_refused) {
  Steps s = star();
  s[0][1] = send(1, out(0, 3));
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "rank 1 stream 0 step 1 (receive output[0..4) from 0 on channel 0): the message has 3 elements: rank 0 "
            "stream 0 step 1");
}

TEST(verify, a_message_that_nobody_receives_is_refused) {
  Steps s = star();
  s[0].push_back(send(1, out(0, 1)));
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "rank 0 stream 0 step 2 sends 1 elements to rank 1 on channel 0, which never receives them");
}

TEST(verify, a_receive_that_nobody_answers_is_refused) {
  Steps s = star();
  s[0].push_back(receive(1, out(0, 1)));
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "rank 0 stream 0 step 2 (receive output[0..1) from 1 on channel 0) waits for a message; the other rank has "
            "ended and never answers");
}

TEST(verify, a_circle_of_receives_is_shown_whole) {
  Steps s = star();
  std::swap(s[1][0], s[1][1]);
  EXPECT_EQ(fault(written(all_reduce(2, 4), s)),
            "these wait for each other:\n"
            "  rank 0 stream 0 step 0 (receive_reduce output[0..4) from 1 on channel 0) waits for a message\n"
            "  rank 1 stream 0 step 0 (receive output[0..4) from 0 on channel 0) waits for a message");
}

TEST(verify, slices_outside_of_a_buffer_and_ranks_outside_of_the_group_are_refused) {
  Steps s = star();
  s[0][1] = send(1, out(1, 4));
  EXPECT_NE(fault(written(all_reduce(2, 4), s)).find("output[1..5) is outside of the 4 elements"), std::string::npos);
  s[0][1] = send(2, out(0, 4));
  EXPECT_NE(fault(written(all_reduce(2, 4), s)).find("no such peer"), std::string::npos);
  s[0][1] = send(0, out(0, 4));
  EXPECT_NE(fault(written(all_reduce(2, 4), s)).find("no such peer"), std::string::npos);
}

/// Both ranks send three messages before they receive: that needs three slots.
TEST(verify, the_slot_rule_finds_a_circle_that_more_slots_would_not_have) {
  const Collective c{CollectiveKind::all_gather, 2, 6, 0, {}, {}};
  Steps s(2);
  for (int r = 0; r < 2; ++r) {
    const auto at = static_cast<std::size_t>(r);
    for (int i = 0; i < 3; ++i) s[at].push_back(send(1 - r, out(3 * r + i, 1)));
    for (int i = 0; i < 3; ++i) s[at].push_back(receive(1 - r, out(3 - 3 * r + i, 1)));
  }
  EXPECT_EQ(fault(written(c, s), {3, 0, false}), "");
  EXPECT_EQ(fault(written(c, s), {2, 0, true}), "");  // the third send waits beside the stream
  EXPECT_EQ(
      fault(written(c, s), {2, 0, false}),
      "these wait for each other:\n"
      "  rank 0 stream 0 step 2 (send output[2..3) to 1 on channel 0) waits for a free slot at rank 1 on channel 0, "
      "which has 2 of 2 full\n"
      "  rank 1 stream 0 step 2 (send output[5..6) to 0 on channel 0) waits for a free slot at rank 0 on channel 0, "
      "which has 2 of 2 full");
  EXPECT_NE(fault(written(c, s), {1, 0, true}), "");
}

/// Ranks exchange the same elements in place: each slot is written only after its old elements have left.
TEST(verify, a_long_exchange_in_place_goes_on_slot_by_slot) {
  const Steps s = {{send(1, out(0, 100)), receive_reduce(1, out(0, 100))},
                   {send(0, out(0, 100)), receive_reduce(0, out(0, 100))}};
  EXPECT_EQ(fault(written(all_reduce(2, 100), s), {2, 3, true}), "");
  EXPECT_NE(fault(written(all_reduce(2, 100), s), {2, 3, false}), "");
}

/// What is received would overwrite the end of what is still to be sent.
TEST(verify, a_receive_that_needs_the_place_of_an_unsent_part_waits) {
  const Collective c{CollectiveKind::broadcast, 2, 100, 0, {}, {}};
  const Steps s = {{send(1, out(0, 100)), receive(1, out(40, 10)), receive(1, out(30, 10))},
                   {send(0, out(40, 10)), receive(0, out(0, 100)), send(0, out(30, 10))}};
  EXPECT_NE(fault(written(c, s), {2, 3, true}), "");  // rank 1 sends what it does not have yet
}

TEST(verify, a_signal_orders_and_carries_nothing) {
  const Collective c{CollectiveKind::barrier, 2, 0, 0, {}, {}};
  EXPECT_EQ(fault(written(c, {{signal(1), await_signal(1)}, {signal(0), await_signal(0)}})), "");
  EXPECT_EQ(fault(written(c, {{signal(1)}, {await_signal(0)}})), "rank 0 may end before rank 1 has begun");
}

TEST(verify, two_streams_of_a_rank_that_touch_the_same_elements_need_an_order) {
  const Collective c{CollectiveKind::broadcast, 2, 4, 0, {}, {}};
  const Slice spare{Buffer::scratch, 0, 4};
  const auto make = [&](Step copy_step) {
    Schedule s = written(c, {{send(1, out(0, 4))}, {}, {receive(0, spare)}, {copy_step}}, 2);
    s.scratch = [](int) { return 4; };
    return s;
  };
  EXPECT_EQ(fault(make(after(copy(spare, out(0, 4)), 0, 0))), "");
  EXPECT_NE(fault(make(copy(spare, out(0, 4)))), "");
  EXPECT_NE(fault(make(after(copy(spare, out(0, 4)), 0, 1))).find("stream 0 has only 1 steps"), std::string::npos);
  EXPECT_NE(fault(make(after(copy(spare, out(0, 4)), 2, 1))).find("there is no stream 2"), std::string::npos);

  // Each half is sent by its own stream; then the first stream overwrites what the second has sent, without an order.
  const auto reuse = [&](Step last) {
    return written(
        c, {{send(1, out(0, 2)), last}, {send(1, out(2, 2), 1)}, {receive(0, out(0, 2))}, {receive(0, out(2, 2), 1)}},
        2);
  };
  EXPECT_NE(fault(reuse(copy(out(0, 1), out(3, 1)))).find("nothing orders this with stream"), std::string::npos);
  EXPECT_EQ(fault(reuse(after(copy(out(3, 1), out(3, 1)), 1, 0))), "");
}

TEST(verify, two_streams_that_receive_from_one_channel_at_once_are_refused) {
  const Collective c{CollectiveKind::broadcast, 2, 4, 0, {}, {}};
  EXPECT_NE(fault(written(c, {{}, {}, {receive(0, out(0, 2))}, {receive(0, out(2, 2))}}, 2))
                .find("receives from the same channel at the same time"),
            std::string::npos);
}

/// Every schedule that differs by one step is wrong: dropped, doubled, sent elsewhere, copied instead of added.
TEST(verify, every_mutant_of_a_ring_is_refused) {
  const Collective c = all_reduce(4, 10);
  const Schedule good = make_schedule(algorithm("ring_all_reduce"), c);
  Steps all(4);
  for (int r = 0; r < 4; ++r)
    for (auto steps = good.steps(r, 0); const Step* s = steps.next();) all[static_cast<std::size_t>(r)].push_back(*s);
  EXPECT_EQ(fault(written(c, all)), "");
  int mutants = 0;
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t i = 0; i < all[r].size(); ++i) {
      std::vector<Steps> wrong(5, all);
      wrong[0][r].erase(wrong[0][r].begin() + static_cast<std::ptrdiff_t>(i));
      wrong[1][r].insert(wrong[1][r].begin() + static_cast<std::ptrdiff_t>(i), all[r][i]);
      wrong[2][r][i].peer = (all[r][i].peer + 1) % 4;
      wrong[3][r][i].channel = 1;
      wrong[4][r][i].source.begin += 1, wrong[4][r][i].target.begin += 1;
      if (all[r][i].receives()) {
        wrong.push_back(all);
        wrong.back()[r][i].action = all[r][i].action == Action::receive ? Action::receive_reduce : Action::receive;
      }
      for (const Steps& s : wrong) {
        EXPECT_NE(fault(written(c, s)), "") << "rank " << r << " step " << i;
        ++mutants;
      }
    }
  EXPECT_EQ(mutants, 4 * (12 * 5 + 6));
}

}  // namespace
}  // namespace tutti::plan
