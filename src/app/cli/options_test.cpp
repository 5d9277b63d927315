#include "app/cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Bound {
  std::string file, mode = "auto", input;
  std::vector<std::string> sets, rest;
  std::uint64_t ranks = 4;
  double scale = 1;
  Bytes size{4096};
  Time wait = Time::ns(10);
  bool quiet = false;
  Options options;
  Bound() {
    options.value({"--file", "--input-file"}, file, {"a file", "FILE"});
    options.value({"--mode"}, mode, {"how", "MODE", {"auto", "on", "off"}});
    options.value({"--set"}, sets);
    options.value({"--ranks"}, ranks, 1, 64);
    options.value({"--scale"}, scale);
    options.value({"--bytes"}, size);
    options.value({"--wait"}, wait);
    options.flag({"--quiet", "-q"}, quiet);
  }
  std::string faults(const std::vector<std::string_view>& words) {
    try {
      options.parse(words);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  }
};

TEST(Options, BindTypedValues) {
  Bound b;
  EXPECT_EQ(b.faults({"--input-file=a b", "--mode", "on", "--set", "a=1", "--set=b=2", "--ranks", "64", "--scale",
                      "-2.5", "--bytes", "64KiB", "--wait", "2 us", "-q"}),
            "");
  EXPECT_EQ(b.file, "a b");
  EXPECT_EQ(b.mode, "on");
  EXPECT_THAT(b.sets, ElementsAre("a=1", "b=2"));
  EXPECT_EQ(b.ranks, 64u);
  EXPECT_EQ(b.scale, -2.5);
  EXPECT_EQ(b.size, Bytes(65536));
  EXPECT_EQ(b.wait, Time::us(2));
  EXPECT_TRUE(b.quiet);
  EXPECT_EQ(b.options.given("--file"), "--input-file");
  EXPECT_EQ(b.options.given("--mode"), "--mode");
}

TEST(Options, ABareSizeIsBytes) {
  Bound b;
  EXPECT_EQ(b.faults({"--bytes", "100"}), "");
  EXPECT_EQ(b.size, Bytes(100));
}

TEST(Options, EveryFaultIsListed) {
  Bound b;
  EXPECT_EQ(
      b.faults({"--fiel", "x", "--mode=of", "--ranks", "65", "--ranks=1", "--scale=ten", "--bytes", "4 kib",
                "--quiet=maybe", "word", "--wait"}),
      "error: unknown option '--fiel'; did you mean '--file'?\n"
      "error: --mode: unknown value 'of'; did you mean 'off'? known: auto, on, off\n"
      "error: --ranks: a whole number from 1 to 64 is needed, not '65'\n"
      "error: option --ranks is given twice\n"
      "error: --scale: a number is needed, not 'ten'\n"
      "error: --bytes: '4 kib': unknown unit 'kib', known: B, KB, MB, GB, TB, KiB, MiB, GiB, TiB; expected a size "
      "such as \"4 KiB\"\n"
      "error: --quiet: true or false is needed, not 'maybe'\n"
      "error: unknown option 'word'\n"
      "error: --wait needs a value");
}

TEST(Options, WordsGoToPositionalArguments) {
  Bound b;
  b.options.positional("INPUT", b.input, true);
  b.options.positionals("FILE", b.rest);
  EXPECT_EQ(b.faults({"in", "--quiet", "x", "-", "--", "--y"}), "");
  EXPECT_EQ(b.input, "in");
  EXPECT_THAT(b.rest, ElementsAre("x", "-", "--y"));
  Bound missing;
  missing.options.positional("INPUT", missing.input, true);
  EXPECT_EQ(missing.faults({}), "error: INPUT is missing");
}

TEST(Options, OneNameTwiceIsOurFault) {
  Bound b;
  EXPECT_THROW(b.options.flag({"--file"}, b.quiet), InternalError);
}

TEST(Options, RowsCarryWhatHelpIsMadeOf) {
  Bound b;
  const std::vector<OptionRow> rows = b.options.rows();
  EXPECT_THAT(rows[0].names, ElementsAre("--file", "--input-file"));
  EXPECT_EQ(rows[1].fallback, "auto");
  EXPECT_EQ(rows[3].fallback, "4");
  EXPECT_EQ(rows[5].fallback, "4 KiB");
  EXPECT_TRUE(rows[2].repeats);
  EXPECT_TRUE(rows[7].flag);
}

}  // namespace
}  // namespace tutti::app
