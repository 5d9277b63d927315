#include "plan/algorithm.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "plan/samples.h"
#include "plan/verify.h"

namespace tutti::plan {
namespace {

TEST(algorithms, each_is_proven_for_one_to_nine_ranks_and_small_sizes) {
  Random random(1);
  for (const Algorithm& a : algorithms())
    for (int ranks = 1; ranks <= 9; ++ranks)
      for (std::int64_t count : {0, 1, 2, ranks, 4 * ranks, 4 * ranks + 3}) {
        const Collective c = sample_collective(a.kind, ranks, count, random);
        const auto schedule = sample_schedule(a, c, {});
        if (!schedule) continue;
        for (const Target& t : {Target{8, 0, true}, Target{1, 2, true}}) {
          const Proof p = verify(*schedule, t);
          EXPECT_TRUE(p.holds) << a.name << " ranks " << ranks << " count " << count << " root " << c.root << " slots "
                               << t.slots << "\n"
                               << p.counter_example;
        }
      }
}

TEST(algorithms, each_is_proven_for_sampled_ranks_sizes_and_parameters) {
  Random random(2);
  for (const Algorithm& a : algorithms())
    for (int i = 0; i < 12; ++i) {
      const int ranks = static_cast<int>(random.below(64)) + 1;
      const Collective c = sample_collective(a.kind, ranks, static_cast<std::int64_t>(random.below(500)), random);
      const Parameters parameters = sample_parameters(a, random);
      std::string text;
      for (const auto& [name, value] : parameters.all()) text += name + " " + std::to_string(value) + " ";
      const auto schedule = sample_schedule(a, c, parameters);
      if (!schedule) continue;
      const Proof p = verify(*schedule, {static_cast<std::int64_t>(random.below(8)) + 1,
                                         static_cast<std::int64_t>(random.below(9)), true});
      EXPECT_TRUE(p.holds) << a.name << " ranks " << ranks << " count " << c.count << " " << text << "\n"
                           << p.counter_example;
    }
}

TEST(algorithms, names_are_unique_and_papers_named) {
  std::vector<std::string_view> names;
  for (const Algorithm& a : algorithms()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), a.name), 0) << a.name;
    names.push_back(a.name);
    EXPECT_FALSE(a.source.empty()) << a.name;
    EXPECT_FALSE(a.summary.empty()) << a.name;
  }
}

TEST(algorithms, unknown_names_parameters_and_values_are_refused_with_what_is_known) {
  const Collective c{CollectiveKind::all_reduce, 4, 8, 0, {}, {}};
  EXPECT_THROW(algorithm("rign"), ConfigError);
  Parameters p;
  p.set("chanels", 2);
  EXPECT_THROW(make_schedule(algorithm("ring_all_reduce"), c, p), ConfigError);
  Parameters q;
  q.set("channels", 0);
  EXPECT_THROW(make_schedule(algorithm("ring_all_reduce"), c, q), ConfigError);
  EXPECT_THROW(make_schedule(algorithm("ring_all_reduce"), {CollectiveKind::broadcast, 4, 8, 0, {}, {}}), ConfigError);
  EXPECT_THROW(make_schedule(algorithm("ring_all_reduce"), {CollectiveKind::all_reduce, 0, 8, 0, {}, {}}), ConfigError);
}

TEST(part, parts_are_balanced_and_together_the_whole) {
  for (std::int64_t total : {0, 1, 7, 64, 1000003})
    for (std::int64_t parts : {1, 2, 3, 7, 64}) {
      std::int64_t at = 0;
      for (std::int64_t i = 0; i < parts; ++i) {
        const Interval p = part(total, parts, i);
        EXPECT_EQ(p.begin, at);
        EXPECT_LE(std::abs(p.count - total / parts), 1);
        at = p.end();
      }
      EXPECT_EQ(at, total);
    }
}

}  // namespace
}  // namespace tutti::plan
