#include "plan/formats/text.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/recorded.h"
#include "plan/samples.h"
#include "plan/verify.h"

namespace tutti::plan {
namespace {

TEST(text, every_algorithm_comes_back_step_by_step_and_is_still_proven) {
  Random random(9);
  for (const Algorithm& a : algorithms())
    for (const int ranks : {1, 4, 7}) {
      const auto s =
          sample_schedule(a, sample_collective(a.kind, ranks, 3 * ranks + 1, random), sample_parameters(a, random));
      if (!s) continue;
      const std::string text = write_text(*s);
      const Schedule back = parse_text(text, "x");
      EXPECT_EQ(write_text(back), text) << a.name;
      EXPECT_EQ(record(back).steps, record(*s).steps) << a.name;
      const Proof proof = verify(back);
      EXPECT_TRUE(proof.holds) << a.name << ": " << proof.counter_example;
    }
}

std::string fault(const std::string& text) {
  try {
    parse_text(text, "a.txt");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

const std::string good =
    "tutti schedule 1\n"
    "algorithm swap\n"
    "collective all_reduce ranks 2 count 1\n"
    "in_place\n"
    "rank 0 scratch 1\n"
    "stream 0\n"
    "  send input[0..1) to 1 on channel 0  # a remark\n"
    "  receive scratch[0..1) from 1 on channel 0\n"
    "  reduce scratch[0..1) to output[0..1)\n"
    "rank 1 scratch 0\n"
    "stream 0\n"
    "  send input[0..1) to 0 on channel 0\n"
    "  receive_reduce output[0..1) from 0 on channel 0\n";

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(text, a_schedule_written_by_hand_is_proven) {
  const Proof proof = verify(parse_text(good, "a.txt"));
  EXPECT_TRUE(proof.holds) << proof.counter_example;
}

TEST(text, every_fault_names_its_line) {
  EXPECT_EQ(fault(with("schedule 1", "schedule 2")).find("a.txt:1: error: 'tutti schedule 1' is expected"), 0u);
  EXPECT_EQ(fault(with("all_reduce", "all_redcue")).find("a.txt:3: error: unknown collective"), 0u);
  EXPECT_EQ(fault(with("ranks 2", "ranks 0")), "a.txt:3: error: 0: 1 to 1048576 is possible");
  EXPECT_EQ(fault(with("rank 1", "rank 0")), "a.txt:10: error: rank 1 is expected here");
  EXPECT_EQ(fault(with("to 1", "to 2")), "a.txt:7: error: 2: 0 to 1 is possible");
  EXPECT_EQ(fault(with("receive scratch[0..1)", "receive scratch[1..0)")).find("a.txt:8: error: 0: 1 to"), 0u);
  EXPECT_EQ(fault(with("to output[0..1)", "to output[0..2)")), "a.txt:9: error: source and target differ in size");
  EXPECT_EQ(fault(with("  reduce", "  reduces")).find("a.txt:9: error: 'wait' is expected"), 0u);
  EXPECT_EQ(fault(with("on channel 0", "on channel 0 9")), "a.txt:7: error: '9' is too much");
  EXPECT_EQ(fault(with("in_place\n", "counts 1 2\n")), "a.txt:4: error: only all_to_all_v has counts");
  EXPECT_EQ(fault(good.substr(0, good.find("rank 1"))), "a.txt:9: error: rank 1 is missing");
  EXPECT_EQ(fault(""), "a.txt:0: error: there is no 'collective'");
}

}  // namespace
}  // namespace tutti::plan
