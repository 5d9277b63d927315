#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config.h"
#include "base/error.h"

namespace tutti {
namespace {

using testing::HasSubstr;

ConfigOverlay overlay(const std::vector<std::string>& assignments) {
  ConfigOverlay result;
  for (const std::string& a : assignments) result.add(a);
  return result;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(ConfigOverlay, ReplacesAndAddsValues) {
  const ConfigOverlay set = overlay({"a.b=2", "a.c=[1, 2]", "list.1=9", "new.deep=x", "a.b=3"});
  Config config = Config::text("a: {b: 1}\nlist: [4, 5]\n", "a.yaml");
  config.apply(set);
  const ConfigMap root = config.root();
  EXPECT_EQ(root.map("a").integer("b"), 3);
  EXPECT_EQ(root.map("a").integers("c"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(root.integers("list"), (std::vector<std::int64_t>{4, 9}));
  EXPECT_EQ(root.map("new").text("deep"), "x");
  config.finish();
  set.finish();
}

TEST(ConfigOverlay, EachOriginIsKept) {
  ConfigOverlay set = overlay({"b=2 us"});
  set.add("d=true", "--fast");
  Config config = Config::text("a: 1\n\nlist:\n - 5\n", "a.yaml");
  config.add_defaults("a: 7\ne: 9\n", "built-in");
  config.apply(set);
  const ConfigMap root = config.root();
  root.integer("a");
  root.time("b", Time::ns(1));
  root.bytes("c", Bytes(4096));
  root.boolean("d", false);
  root.integer("e");
  root.integers("list");
  std::vector<std::string> lines;
  for (const Setting& s : config.settings()) lines.push_back(s.path + "=" + s.value + " from " + s.origin);
  EXPECT_THAT(lines, testing::ElementsAre("a=1 from a.yaml:1", "b=2 us from --set", "c=4 KiB from default",
                                          "d=true from --fast", "e=9 from default", "list.0=5 from a.yaml:4"));
}

TEST(ConfigOverlay, APathThatNoFileKnowsIsAFault) {
  const ConfigOverlay set = overlay({"defaults.n_slosts=4", "deflts.n_slots=4"});
  Config config = Config::text("", "a.yaml");
  config.apply(set);
  config.root().map("defaults").integer("n_slots", 8);
  config.finish();
  EXPECT_EQ(error_of([&] { set.finish(); }),
            "--set: error: unknown key 'n_slosts' in defaults; did you mean 'n_slots'?\n"
            "      | defaults.n_slosts=4\n"
            "      |          ^\n"
            "--set: error: unknown key 'deflts'; did you mean 'defaults'?\n"
            "      | deflts.n_slots=4\n"
            "      | ^");
}

TEST(ConfigOverlay, OneOfSeveralFilesMayTakeIt) {
  const ConfigOverlay set = overlay({"a=1", "b=2"});
  Config first = Config::text("", "a.yaml"), second = Config::text("", "b.yaml");
  first.apply(set);
  second.apply(set);
  EXPECT_EQ(first.root().integer("a", 0), 1);
  EXPECT_EQ(second.root().integer("b", 0), 2);
  first.finish();
  second.finish();
  set.finish();
}

TEST(ConfigOverlay, AFaultOfItsValueShowsTheOption) {
  const ConfigOverlay set = overlay({"a.n=many"});
  Config config = Config::text("", "a.yaml");
  config.apply(set);
  config.root().map("a").integer("n", 1);
  EXPECT_EQ(error_of([&] { config.finish(); }),
            "--set: error: a.n: expected a whole number, not 'many'\n"
            "      | a.n=many\n"
            "      |     ^");
}

TEST(ConfigOverlay, AnUnknownKeyWithinAValueIsAFault) {
  const ConfigOverlay set = overlay({"a={n: 1, m: 2}"});
  Config config = Config::text("", "a.yaml");
  config.apply(set);
  EXPECT_EQ(config.root().map("a").integer("n", 0), 1);
  EXPECT_THAT(error_of([&] { config.finish(); }), HasSubstr("--set: error: unknown key 'm' in a"));
}

TEST(ConfigOverlay, PathsThroughValuesAndPastListsAreFaults) {
  const ConfigOverlay set = overlay({"a.b=1", "list.7=1"});
  Config config = Config::text("a: 5\nlist: [1]\n", "a.yaml");
  config.apply(set);
  config.root().integer("a");
  config.root().integers("list");
  config.finish();
  const std::string text = error_of([&] { set.finish(); });
  EXPECT_THAT(text, HasSubstr("'b' would be a key of a single value"));
  EXPECT_THAT(text, HasSubstr("no entry '7' in a list of 1"));
}

TEST(ConfigOverlay, MalformedAssignmentsAreRefusedAtOnce) {
  for (const char* bad : {"", "a", "=1", "a..b=1", ".a=1", "a.=1", "a=[1", "a={b: 1, b: 2}"})
    EXPECT_NE(error_of([&] { overlay({bad}); }), "") << bad;
}

TEST(Config, DefaultsFillWhatAFileLacks) {
  Config config = Config::text("a: {b: 1}\nlist: [1]\n", "a.yaml");
  config.add_defaults("a: {b: 7, c: 8}\nlist: [5, 6]\nunread: 3\n", "built-in");
  const ConfigMap root = config.root();
  EXPECT_EQ(root.map("a").integer("b"), 1);
  EXPECT_EQ(root.map("a").integer("c"), 8);
  EXPECT_EQ(root.integers("list"), (std::vector<std::int64_t>{1}));
  config.finish();
}

TEST(Config, BuiltInTextIsReadStrictlyToo) {
  Config config = Config::built_in("a: 1\nb: 2\n", "ccl.yaml");
  config.root().integer("a");
  EXPECT_EQ(config.settings().at(0).origin, "default");
  EXPECT_THAT(error_of([&] { config.finish(); }), HasSubstr("ccl.yaml:2:1: error: unknown key 'b'"));
}

}  // namespace
}  // namespace tutti
