#include "plan/synthesise.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/algorithm.h"
#include "plan/formats/text.h"
#include "plan/verify.h"

namespace tutti::plan {
namespace {

Collective of(CollectiveKind kind, int ranks, std::int64_t count) { return {kind, ranks, count, 0, {}, {}}; }

TEST(synthesise, gathers_scatters_and_reductions_are_proven_on_meshes_tori_rings_and_irregular_graphs) {
  const Network networks[] = {ring_network(1),
                              ring_network(2),
                              ring_network(7),
                              mesh_network(3, 5, false),
                              mesh_network(4, 4, true),
                              irregular_network(11, 9, 3),
                              irregular_network(24, 0, 5)};
  for (const Network& n : networks)
    for (const auto kind : {CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_reduce})
      for (const int chunks : {1, 3}) {
        const Schedule s = synthesise(of(kind, n.ranks, 4 * n.ranks + 3), n, Bytes(1024), {7, chunks});
        const Proof proof = verify(s);
        EXPECT_TRUE(proof.holds) << name(kind) << " of " << n.ranks << " in " << chunks << ": "
                                 << proof.counter_example;
      }
}

TEST(synthesise, every_rank_receives_each_chunk_of_others_once_and_only_from_neighbours) {
  const Network n = irregular_network(20, 15, 8);
  const Schedule s = synthesise(of(CollectiveKind::all_gather, 20, 40), n, Bytes(4), {});
  const Traffic t = traffic(s);
  for (const auto received : t.received) EXPECT_EQ(received, 38);
  for (int r = 0; r < 20; ++r)
    for (int stream = 0; stream < s.streams; ++stream)
      for (auto steps = s.steps(r, stream); const Step* step = steps.next();)
        if (step->sends()) {
          EXPECT_TRUE(std::any_of(n.links.begin(), n.links.end(),
                                  [&](const auto& l) { return l.from == r && l.to == step->peer; }));
        }
}

TEST(synthesise, on_a_ring_an_all_gather_takes_half_the_steps_of_the_one_way_ring) {
  // Eight ranks, both directions used: 4 rounds of a chunk each (7 chunks over two links), where a ring of one
  // direction takes 7.
  const Network n = ring_network(8);
  const auto c = of(CollectiveKind::all_gather, 8, 8 * 1000);
  const Time round = n.links[0].cost(Bytes(1000));
  EXPECT_EQ(estimate(make_schedule(algorithm("ring_all_gather"), c), n, Bytes(1)), round * 7);
  EXPECT_LE(estimate(synthesise(c, n, Bytes(1)), n, Bytes(1)), round * 5);
  EXPECT_GE(estimate(synthesise(c, n, Bytes(1)), n, Bytes(1)), round * 4);
}

TEST(synthesise, on_a_torus_it_beats_the_hand_written_ring_and_is_within_a_quarter_of_the_bound) {
  const Network n = mesh_network(8, 8, true);
  const auto c = of(CollectiveKind::all_gather, 64, 64 * 4096);
  const Time round = n.links[0].cost(Bytes(4096));
  const Time made = estimate(synthesise(c, n, Bytes(1)), n, Bytes(1));
  // 63 chunks must come over four links: 16 rounds.
  EXPECT_GE(made, round * 16);
  EXPECT_LE(made, round * 20);
  EXPECT_LT(made * 3, estimate(make_schedule(algorithm("ring_all_gather"), c), n, Bytes(1)));
}

TEST(synthesise, a_seed_gives_one_schedule_and_another_seed_another) {
  const Network n = mesh_network(4, 4, false);
  const auto c = of(CollectiveKind::all_reduce, 16, 160);
  const std::string one = write_text(synthesise(c, n, Bytes(4), {5, 1}));
  EXPECT_EQ(one, write_text(synthesise(c, n, Bytes(4), {5, 1})));
  EXPECT_NE(one, write_text(synthesise(c, n, Bytes(4), {6, 1})));
}

TEST(synthesise, networks_in_two_parts_and_other_collectives_are_refused) {
  Network n = ring_network(4);
  n.ranks = 5;
  EXPECT_THROW(synthesise(of(CollectiveKind::all_gather, 5, 5), n, Bytes(1)), ConfigError);
  EXPECT_THROW(synthesise(of(CollectiveKind::broadcast, 4, 5), ring_network(4), Bytes(1)), ConfigError);
}

TEST(network, estimates_are_those_worked_out_by_hand) {
  const Network::Link like{0, 0, Time::ns(100), Bandwidth::gb_per_s(10)};
  const auto time = [&](const char* name, const Network& n, std::int64_t bytes) {
    return estimate(make_schedule(algorithm(name), of(CollectiveKind::all_reduce, n.ranks, bytes)), n, Bytes(1));
  };
  // 4 ranks, 4000 B: ring 2 x 3 messages of 1000 B (100 ns + 100 ns); one-shot one of 4000 B; two-shot two of 1000 B.
  EXPECT_EQ(time("ring_all_reduce", ring_network(4, like), 4000), Time::ns(1200));
  EXPECT_EQ(time("one_shot_all_reduce", complete_network(4, like), 4000), Time::ns(500));
  EXPECT_EQ(time("two_shot_all_reduce", complete_network(4, like), 4000), Time::ns(400));
  // A line of 3: the message for the far end leaves first and takes two hops, the other follows on the first link.
  const auto line = mesh_network(1, 3, false, like);
  const auto b = make_schedule(algorithm("binomial_broadcast"), of(CollectiveKind::broadcast, 3, 1000));
  EXPECT_EQ(estimate(b, line, Bytes(1)), Time::ns(400));
}

}  // namespace
}  // namespace tutti::plan
