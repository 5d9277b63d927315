// Every planned algorithm on the mock, on real numbers: exact sums of small integers.
#include "ccl/run_schedule.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "ccl/mock_cluster.h"
#include "plan/algorithm.h"
#include "plan/samples.h"

namespace tutti::ccl {
namespace {

using memory::DType;

/// The number that rank `r` contributes to element `label` of the value space.
double value(int r, std::int64_t label) { return static_cast<double>((r * 7 + label * 3) % 11 - 5); }

void check(const plan::Schedule& s, const MockCluster& mock, const std::string& text) {
  SCOPED_TRACE(text);
  const plan::Collective& c = s.collective;
  const auto width = static_cast<std::size_t>(memory::size_of(DType::i32));
  std::vector<std::vector<std::byte>> inputs(static_cast<std::size_t>(c.ranks)), outputs;
  for (int r = 0; r < c.ranks; ++r) {
    auto& mine = inputs[static_cast<std::size_t>(r)];
    mine.resize(static_cast<std::size_t>(c.input_size(r)) * width);
    for (const plan::Content& have : c.initial(r))
      for (std::int64_t i = 0; i < have.where.count; ++i)
        memory::store_double(DType::i32, mine.data(), have.where.begin + i, value(r, have.label + i));
  }
  ASSERT_NO_THROW(mock.run(s, DType::i32, memory::ReduceOp::sum, inputs, outputs));
  for (int r = 0; r < c.ranks; ++r)
    for (const plan::Content& want : c.expected(r))
      for (std::int64_t i = 0; i < want.where.count; ++i) {
        double sum = 0;
        for (int from : want.from) sum += value(from, want.label + i);
        ASSERT_EQ(memory::load_as_double(DType::i32, outputs[static_cast<std::size_t>(r)].data(), want.where.begin + i),
                  sum)
            << "rank " << r << " element " << want.where.begin + i;
      }
}

TEST(run_schedule, every_algorithm_gives_the_right_numbers_for_one_to_nine_ranks) {
  Random random(3);
  for (const plan::Algorithm& a : plan::algorithms())
    for (int ranks = 1; ranks <= 9; ++ranks)
      for (std::int64_t count : {0, 1, 2 * ranks + 1}) {
        const auto s = plan::sample_schedule(a, plan::sample_collective(a.kind, ranks, count, random), {});
        if (s)
          check(*s, {ranks, 2, Bytes(8), {}, {}},
                std::string(a.name) + " " + std::to_string(ranks) + " ranks " + std::to_string(count));
      }
}

TEST(run_schedule, every_algorithm_gives_the_right_numbers_for_sampled_ranks_and_sizes) {
  Random random(4);
  for (const plan::Algorithm& a : plan::algorithms())
    for (int i = 0; i < 3; ++i) {
      const int ranks = static_cast<int>(random.below(64)) + 1;
      const auto count = static_cast<std::int64_t>(random.below(300));
      const auto s = plan::sample_schedule(a, plan::sample_collective(a.kind, ranks, count, random),
                                           plan::sample_parameters(a, random));
      if (s)
        check(*s, {ranks, static_cast<std::uint32_t>(random.below(8)) + 1, Bytes(16), {}, {}},
              std::string(a.name) + " " + std::to_string(ranks) + " ranks " + std::to_string(count));
    }
}

TEST(run_schedule, a_schedule_that_waits_in_a_circle_is_a_deadlock) {
  plan::Schedule s;
  s.collective = {plan::CollectiveKind::broadcast, 2, 1, 0, {}, {}};
  const auto steps = [](int peer) -> plan::Generator<plan::Step> { co_yield plan::await_signal(peer); };
  s.steps = [steps](int rank, int) { return steps(1 - rank); };
  std::vector<std::vector<std::byte>> inputs(2, std::vector<std::byte>(4)), outputs;
  EXPECT_THROW(MockCluster{}.run(s, DType::i32, memory::ReduceOp::sum, inputs, outputs), Error);
}

TEST(run_schedule, wiring_gives_both_ends_of_a_line_each_others_port) {
  const auto s =
      plan::make_schedule(plan::algorithm("two_shot_all_reduce"), {plan::CollectiveKind::all_reduce, 5, 10, 0, {}, {}});
  const Wiring w = wire(s);
  EXPECT_EQ(w.most_ports(), 4u);
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t p = 0; p < w.ports[r].size(); ++p) {
      const auto& line = w.ports[r][p];
      const auto& other = w.ports[static_cast<std::size_t>(line.peer)][line.back];
      EXPECT_EQ(other.peer, static_cast<int>(r));
      EXPECT_EQ(other.back, p);
    }
}

}  // namespace
}  // namespace tutti::ccl
