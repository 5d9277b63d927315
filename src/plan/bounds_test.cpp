#include "plan/bounds.h"

#include <gtest/gtest.h>

#include "plan/demand.h"

namespace tutti::plan {
namespace {

TEST(Bounds, all_reduce_meets_hand_cases) {
  const auto at = [](int ranks) {
    return all_reduce_bounds(ranks, Bytes(4096), Time::ns(10), Bandwidth::gb_per_s(128));
  };
  EXPECT_EQ(at(1).latency, Time());
  EXPECT_EQ(at(1).bandwidth, Time());
  EXPECT_EQ(at(2).latency, Time::ns(10));
  EXPECT_EQ(at(2).bandwidth, Time::ns(32));  // two ranks exchange their whole buffers
  EXPECT_EQ(at(4).latency, Time::ns(20));
  EXPECT_EQ(at(4).bandwidth, Time::ns(48));  // a ring of 4: six steps of 1 KiB, 8 ns each
  EXPECT_EQ(at(5).latency, Time::ns(30));
}

/// Four ranks with 100 GB/s each way; ranks 0 and 1 are behind a wire of 50 GB/s out and 25 GB/s in.
GraphLimits four() {
  GraphLimits l;
  l.ranks = 4;
  l.cheapest = Time::ns(10);
  l.farthest = Time::ns(35);
  l.out = l.in = std::vector<Bandwidth>(4, Bandwidth::gb_per_s(100));
  l.cuts = {{"left", {0, 1}, Bandwidth::gb_per_s(50), Bandwidth::gb_per_s(25)}};
  l.fewest_links = 3;
  l.all_links = Bandwidth::gb_per_s(1000);
  return l;
}

Time of(const std::vector<Bound>& bounds, const std::string& name) {
  for (const Bound& b : bounds)
    if (b.name == name) return b.time;
  ADD_FAILURE() << "no bound " << name;
  return {};
}

BoundInput input(CollectiveKind kind, std::int64_t count) {
  BoundInput in;
  in.collective.kind = kind;
  in.collective.ranks = 4;
  in.collective.count = count;
  in.element = Bytes(2);
  return in;
}

TEST(Bounds, an_all_reduce_of_2000_elements_of_2_bytes_on_four_ranks) {
  BoundInput in = input(CollectiveKind::all_reduce, 2000);
  in.issue = Time::ns(12);
  in.message = Time::ns(2);
  in.memory = {Bandwidth::gb_per_s(50), 2};
  in.credit = {2, Bytes(1000), Time::ns(100), 1};
  in.reduction = Bandwidth::gb_per_s(10);
  const std::vector<Bound> b = lower_bounds(in, four());
  EXPECT_EQ(of(b, "latency"), Time::ns(24));       // one at 12 ns, and then two more: known at 12 and 24
  EXPECT_EQ(of(b, "distance"), Time::ns(37));      // 35 + 2
  EXPECT_EQ(of(b, "bandwidth"), Time::ns(60));     // 2 x 3 x 4000 B at 400 B/ns
  EXPECT_EQ(of(b, "injection"), Time::ns(40));     // 4000 B at 100 B/ns
  EXPECT_EQ(of(b, "cut"), Time::ns(160));          // 4000 B at 25 B/ns into the left
  EXPECT_EQ(of(b, "volume"), Time::ns(72));        // 24000 B over 3 links at 1000 B/ns
  EXPECT_EQ(of(b, "memory"), Time::ns(240));       // 12000 B at 50 B/ns
  EXPECT_EQ(of(b, "credit"), Time::ns(200));       // 6 messages with 2 slots: 2 windows are waited for
  EXPECT_EQ(of(b, "message_rate"), Time::ns(72));  // 6 messages, one each 12 ns
  EXPECT_EQ(of(b, "reduction"), Time::ns(300));    // 12000 B of operands over 4 ranks at 10 B/ns
  EXPECT_EQ(binding(b).name, "reduction");
}

TEST(Bounds, cuts_of_each_collective_carry_what_must_cross) {
  const std::vector<bool> left = {true, true, false, false};
  const auto demand = [&](CollectiveKind kind, int root) {
    Collective c;
    c.kind = kind;
    c.ranks = 4;
    c.count = 400;
    c.root = root;
    const Demand d = cut_demand(c, left);
    return std::pair(d.out, d.in);
  };
  using enum CollectiveKind;
  const auto pair = [](std::int64_t out, std::int64_t in) { return std::pair(out, in); };
  EXPECT_EQ(demand(all_reduce, 0), pair(400, 400));
  EXPECT_EQ(demand(reduce, 0), pair(0, 400));
  EXPECT_EQ(demand(reduce, 3), pair(400, 0));
  EXPECT_EQ(demand(broadcast, 0), pair(400, 0));
  EXPECT_EQ(demand(all_gather, 0), pair(200, 200));
  EXPECT_EQ(demand(reduce_scatter, 0), pair(200, 200));
  EXPECT_EQ(demand(gather, 0), pair(0, 200));
  EXPECT_EQ(demand(scatter, 3), pair(0, 200));
  EXPECT_EQ(demand(all_to_all, 0), pair(400, 400));  // 2 x 2 pairs of 100
  EXPECT_EQ(demand(all_to_next, 0), pair(400, 0));
  EXPECT_EQ(demand(barrier, 0), pair(0, 0));
}

TEST(Bounds, all_gather_and_all_to_all_meet_the_table_of_the_specification) {
  // (P - 1) / P n / B: 3/4 of 8000 B at 100 B/ns
  for (const CollectiveKind kind :
       {CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_to_all})
    EXPECT_EQ(of(lower_bounds(input(kind, 4000), four()), "bandwidth"), Time::ns(60));
  EXPECT_EQ(of(lower_bounds(input(CollectiveKind::broadcast, 4000), four()), "injection"), Time::ns(80));  // n / B
  EXPECT_EQ(of(lower_bounds(input(CollectiveKind::broadcast, 4000), four()), "cut"),
            Time::ns(160));  // out of the root's side
}

TEST(Bounds, what_needs_no_traffic_has_no_bound_but_zero) {
  BoundInput one = input(CollectiveKind::all_reduce, 100);
  one.collective.ranks = 1;
  GraphLimits limits;
  EXPECT_EQ(binding(lower_bounds(one, limits)).time, Time());
  EXPECT_EQ(binding(lower_bounds(input(CollectiveKind::all_reduce, 0), four())).time, Time());
  EXPECT_EQ(of(lower_bounds(input(CollectiveKind::barrier, 0), four()), "distance"), Time::ns(35));
}

TEST(Bounds, news_spread_as_the_postal_model_says) {
  EXPECT_EQ(dissemination_time(1, Time::ns(10), Time::ns(10)), Time());
  for (const auto& [ranks, rounds] : {std::pair(2, 1), {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {1024, 10}})
    EXPECT_EQ(dissemination_time(ranks, Time::ns(10), Time::ns(10)), Time::ns(10 * rounds)) << ranks;
  // latency twice the gap: Fibonacci numbers of ranks know at 2, 3, 4, 5 gaps
  for (const auto& [ranks, gaps] : {std::pair(2, 2), {3, 3}, {4, 4}, {5, 4}, {6, 5}, {8, 5}, {9, 6}})
    EXPECT_EQ(dissemination_time(ranks, Time::ns(20), Time::ns(10)), Time::ns(10 * gaps)) << ranks;
  EXPECT_EQ(dissemination_time(1000, Time::ns(20), Time()), Time::ns(20));
}

TEST(Bounds, eight_slots_cap_a_cross_sip_queue_pair_at_43_6_gb_per_s) {
  // 4 KiB at 57 B/ns after 330 ns, 19.4 ns at the ends, and a credit of 330.3 ns (specification 3.1)
  const Time round_trip = Time::ps(401'860 + 19'400 + 330'281);
  EXPECT_NEAR(credit_rate({8, Bytes(4096), round_trip, 1}).bytes_per_ns(), 43.6, 0.05);
  EXPECT_LT(credit_rate({10, Bytes(4096), round_trip, 1}).bytes_per_ns(), 57.0);
  EXPECT_GT(credit_rate({11, Bytes(4096), round_trip, 1}).bytes_per_ns(), 57.0);
}

TEST(Bounds, flits_carry_what_the_specification_says) {
  EXPECT_DOUBLE_EQ(flit_efficiency(64), 0.5);
  EXPECT_DOUBLE_EQ(flit_efficiency(52), 52.0 / 64);
  EXPECT_NEAR(flit_efficiency(4096), 0.928, 0.0005);
  EXPECT_NEAR(flit_efficiency(65536), 0.937, 0.0005);
}

TEST(Bounds, bus_factors_are_those_of_nccl_tests) {
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::broadcast, 8), 1.0);
}

}  // namespace
}  // namespace tutti::plan
