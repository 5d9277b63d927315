#include "workload/gen/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.h"

namespace tutti::workload::gen {
namespace {

std::string text(const Pipeline& p, std::uint32_t stage) {
  std::string out;
  for (const Pass& pass : passes(p, stage)) {
    out += (out.empty() ? "" : " ") + std::string(pass.backward ? "B" : "F") + std::to_string(pass.microbatch);
    if (p.chunks > 1) out += static_cast<char>('a' + pass.chunk);
  }
  return out;
}

TEST(Pipeline, OneForwardOneBackwardIsTheOrderOfThePaper) {
  const Pipeline p{Schedule::one_f_one_b, 4, 8, 1};
  EXPECT_EQ(text(p, 0), "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
  EXPECT_EQ(text(p, 3), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
}

TEST(Pipeline, GPipeComputesAllForwardPassesFirst) {
  EXPECT_EQ(text({Schedule::gpipe, 2, 3, 1}, 0), "F0 F1 F2 B0 B1 B2");
}

// Figure 4, bottom, of Narayanan et al. 2021: four devices, eight microbatches, two chunks.
TEST(Pipeline, InterleavedIsTheOrderOfThePaper) {
  const Pipeline p{Schedule::interleaved, 4, 8, 2};
  EXPECT_EQ(text(p, 3),
            "F0a F1a F2a F3a F0b B0b F1b B1b F2b B2b F3b B3b F4a B0a F5a B1a F6a B2a F7a B3a F4b B4b F5b B5b F6b B6b "
            "F7b B7b B4a B5a B6a B7a");
  EXPECT_EQ(text(p, 0).substr(0, 47), "F0a F1a F2a F3a F0b F1b F2b F3b F4a F5a F6a B0b");
}

TEST(Pipeline, EveryPassComesOnceAndABackwardPassAfterItsForwardPass) {
  for (const auto schedule : {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved})
    for (std::uint32_t stages = 1; stages <= 6; ++stages)
      for (std::uint32_t rounds = 1; rounds <= 3; ++rounds)
        for (std::uint32_t chunks = 1; chunks <= (schedule == Schedule::interleaved && stages > 1 ? 3U : 1U); ++chunks)
          for (std::uint32_t stage = 0; stage < stages; ++stage) {
            const Pipeline p{schedule, stages, stages * rounds, chunks};
            p.check();
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
            std::size_t open = 0, most = 0;
            const auto all = passes(p, stage);
            for (const Pass& pass : all) {
              int& s = seen[{pass.microbatch, pass.chunk}];
              ASSERT_EQ(s, pass.backward ? 1 : 0) << text(p, stage);
              ++s;
              open += pass.backward ? std::size_t(-1) : 1;
              most = std::max(most, open);
            }
            EXPECT_EQ(all.size(), 2U * p.microbatches * chunks);
            EXPECT_EQ(seen.size(), std::size_t{p.microbatches} * chunks);
            if (schedule == Schedule::one_f_one_b) {
              EXPECT_EQ(most, std::min(stages - stage, p.microbatches));
            }
          }
}

TEST(Pipeline, NumbersThatAScheduleDoesNotAllowAreRefused) {
  EXPECT_THROW((Pipeline{Schedule::interleaved, 4, 6, 2}.check()), ConfigError);
  EXPECT_THROW((Pipeline{Schedule::gpipe, 4, 6, 2}.check()), ConfigError);
  EXPECT_THROW((Pipeline{Schedule::one_f_one_b, 0, 6, 1}.check()), ConfigError);
  EXPECT_THROW(parse_schedule("2f2b"), ConfigError);
}

}  // namespace
}  // namespace tutti::workload::gen
