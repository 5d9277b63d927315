#include "base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti {
namespace {

using testing::HasSubstr;

template <class Read>
std::string faults(const std::string& text, Read read) {
  try {
    Config config = Config::text(text, "a.yaml");
    read(config.root());
    config.finish();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

enum class Color { red, green };
constexpr Choice<Color> colors[] = {{"red", Color::red}, {"green", Color::green}};

TEST(Config, ReadsTypedValuesWithUnits) {
  Config config = Config::text(
      "n: 0x10\nx: -2.5e3\non: true\nname: 1d\nwait: 1.5 us\nsize: 4 KiB\nrate: 400Gbps\ncolor: green\n"
      "list: [1, 2, 3]\nnested: {deep: {n: 7}}\n",
      "a.yaml");
  const ConfigMap root = config.root();
  EXPECT_EQ(root.integer("n"), 16);
  EXPECT_EQ(root.number("x"), -2500.0);
  EXPECT_TRUE(root.boolean("on"));
  EXPECT_EQ(root.text("name"), "1d");
  EXPECT_EQ(root.time("wait"), Time::ns(1500));
  EXPECT_EQ(root.bytes("size"), Bytes(4096));
  EXPECT_EQ(root.bandwidth("rate"), Bandwidth::gbps(400));
  EXPECT_EQ(root.choice("color", colors), Color::green);
  EXPECT_EQ(root.integers("list"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(root.map("nested").map("deep").integer("n"), 7);
  config.finish();
}

TEST(Config, AnAbsentKeyTakesItsFallback) {
  Config config = Config::text("", "a.yaml");
  const ConfigMap root = config.root();
  EXPECT_EQ(root.integer("n", 8), 8);
  EXPECT_EQ(root.text("name", "ring"), "ring");
  EXPECT_EQ(root.choice("color", colors, Color::green), Color::green);
  EXPECT_EQ(root.map("a").map("b").time("wait", Time::ns(3)), Time::ns(3));
  EXPECT_EQ(root.integers("grid", {{4, 2}}), (std::vector<std::int64_t>{4, 2}));
  EXPECT_FALSE(root.at("other").present());
  config.finish();
}

TEST(Config, ABareNumberTakesTheUnitThatItsKeyEndsWith) {
  Config config = Config::text(
      "read_ns: 20\ntimeout_ns: 1e7\nlink_gbs: 57.5\nbytes: 4096\nnic_gbps: 400\nwait_ns: 2 us\nhops_ns: [1, 2]\n",
      "a.yaml");
  const ConfigMap root = config.root();
  EXPECT_EQ(root.time("read_ns"), Time::ns(20));
  EXPECT_EQ(root.time("timeout_ns"), Time::ms(10));
  EXPECT_EQ(root.bandwidth("link_gbs"), Bandwidth::bytes_per_second(57'500'000'000));
  EXPECT_EQ(root.bytes("bytes"), Bytes(4096));
  EXPECT_EQ(root.bandwidth("nic_gbps"), Bandwidth::gbps(400));
  EXPECT_EQ(root.time("wait_ns"), Time::us(2));
  const auto hops = root.list("hops_ns");
  ASSERT_EQ(hops.size(), 2u);
  EXPECT_EQ(hops[1].time(), Time::ns(2));
  config.finish();
}

TEST(Config, ABareNumberWithoutAUnitIsRefused) {
  EXPECT_THAT(faults("wait: 20\n", [](const ConfigMap& m) { m.time("wait"); }), HasSubstr("a.yaml:1:7: error: wait: "));
  EXPECT_THAT(faults("s: 20\n", [](const ConfigMap& m) { m.time("s"); }), HasSubstr("no unit"));
}

TEST(Config, AFaultShowsItsPlaceTheLineAndACaret) {
  EXPECT_EQ(
      faults("algorithms:\n  ring:\n    topology: rign_1d\n",
             [](const ConfigMap& m) { m.map("algorithms").map("ring").one_of("topology", {"ring_1d", "mesh_2d"}); }),
      "a.yaml:3:15: error: algorithms.ring.topology: unknown topology 'rign_1d'; did you mean 'ring_1d'? "
      "known: ring_1d, mesh_2d\n"
      "    3 |     topology: rign_1d\n"
      "      |               ^");
}

TEST(Config, AllFaultsOfAFileAreListedInTheirOrder) {
  const std::string text =
      faults("zeta: 1\nn: many\nn: 2\nm: {a: [1, x]}\nlow: 0\nflag: yes\n", [](const ConfigMap& m) {
        m.boolean("flag");
        m.integer("low", 1, {.low = 1, .high = 8});
        m.map("m").integers("a");
        m.integer("n");
        m.text("must");
      });
  std::vector<std::string> starts;
  for (std::size_t at = 0; (at = text.find("a.yaml", at)) != std::string::npos; ++at)
    starts.push_back(text.substr(at, text.find('\n', at) - at));
  EXPECT_THAT(starts,
              testing::ElementsAre("a.yaml:1:1: error: must: is missing; expected a text",
                                   "a.yaml:1:1: error: unknown key 'zeta'",
                                   "a.yaml:2:4: error: n: expected a whole number, not 'many'",
                                   "a.yaml:3:1: error: key 'n' is given twice, first in line 2",
                                   "a.yaml:4:12: error: m.a.1: expected a whole number, not 'x'",
                                   "a.yaml:5:6: error: low: 0 is out of range; expected a whole number from 1 to 8",
                                   "a.yaml:6:7: error: flag: expected true or false, not 'yes'"));
}

TEST(Config, AnUnknownKeyNamesTheNearestKnownOne) {
  const std::string text = faults("defaults: {n_slosts: 4}\n", [](const ConfigMap& m) {
    m.map("defaults").integer("n_slots", 8);
    m.map("defaults").text("backpressure", "sleep");
  });
  EXPECT_THAT(text, HasSubstr("a.yaml:1:12: error: unknown key 'n_slosts' in defaults; did you mean 'n_slots'?"));
}

TEST(Config, WrongKindsAreNamed) {
  const auto read = [](const ConfigMap& m) {
    m.integer("list", 1);
    m.map("scalar").text("inner");  // says nothing more
    m.list("map");
    m.text("empty");
    m.integer("quoted");
  };
  const std::string text = faults("list: [1]\nscalar: 5\nmap: {a: 1}\nempty:\nquoted: \"5\"\n", read);
  EXPECT_THAT(text, HasSubstr("1:7: error: list: expected a whole number, not a list"));
  EXPECT_THAT(text, HasSubstr("2:9: error: scalar: expected a map, not a single value"));
  EXPECT_THAT(text, HasSubstr("3:6: error: map: expected a list, not a map"));
  EXPECT_THAT(text, HasSubstr("4:1: error: empty: expected a text, not nothing"));
  EXPECT_THAT(text, HasSubstr("5:9: error: quoted: expected a whole number, not the text '5'"));
  EXPECT_THAT(text, testing::Not(HasSubstr("inner")));
}

TEST(Config, RangesHoldAtBothEnds) {
  const auto read = [](const ConfigMap& m) {
    m.number("share", 0.5, {.low = 0, .high = 1, .above = true});
    m.bandwidth("rate", Bandwidth::gbps(1));
    m.time("wait", Time(), {.high = Time::us(1)});
  };
  EXPECT_EQ(faults("share: 1\nrate: 1bps\nwait: 1 us\n", read), "");
  const std::string text = faults("share: 0\nrate: 0 bps\nwait: -1 ns\n", read);
  EXPECT_THAT(text, HasSubstr("share: 0 is out of range; expected a number above 0, at most 1"));
  EXPECT_THAT(text, HasSubstr("rate: 0 bps is out of range"));
  EXPECT_THAT(text, HasSubstr("wait: -1 ns is out of range"));
}

TEST(Config, NumbersMustFitAndBeFinite) {
  const auto read = [](const ConfigMap& m) {
    m.integer("a");
    m.integer("b");
    m.number("c");
    m.number("d");
  };
  EXPECT_EQ(faults("a: 9223372036854775807\nb: -9223372036854775808\nc: 1e308\nd: 0\n", read), "");
  const std::string text = faults("a: 9223372036854775808\nb: 0x\nc: 1e999\nd: .inf\n", read);
  for (const char* place : {"1:4", "2:4", "3:4", "4:4"}) EXPECT_THAT(text, HasSubstr(std::string("a.yaml:") + place));
}

TEST(Config, TheCaretCountsCharactersNotBytes) {
  EXPECT_THAT(faults("{\"schl\xc3\xbcssel\": 1}\n", [](const ConfigMap& m) { m.boolean("schl\xc3\xbcssel"); }),
              HasSubstr("\n      |               ^"));
}

TEST(Config, ALongLineIsCutAroundTheCaret) {
  const std::string text = faults("a: [" + std::string(5000, ' ') + "x" + std::string(5000, ' ') + "]\n",
                                  [](const ConfigMap& m) { m.integers("a"); });
  EXPECT_LT(text.size(), 500u);
  const std::size_t line = text.find("| ...");
  ASSERT_NE(line, std::string::npos);
  const std::size_t x = text.find('x', line) - line, caret = text.find('^');
  EXPECT_EQ(caret - text.rfind('\n', caret) - 1, x + 6);
}

TEST(Config, TextThatIsNotYamlIsRefusedWithItsPlace) {
  EXPECT_THAT(faults("a: [1, 2\nb: 3\n", [](const ConfigMap&) {}), HasSubstr("a.yaml:2:"));
  EXPECT_THAT(faults("a: 1\n---\nb: 2\n", [](const ConfigMap&) {}), HasSubstr("second document"));
  EXPECT_THAT(faults("[a]: 1\n", [](const ConfigMap&) {}), HasSubstr("a key must be a plain word"));
  EXPECT_THAT(faults("a: !!int 5\n", [](const ConfigMap& m) { m.integer("a"); }), HasSubstr("a tag has no meaning"));
  EXPECT_THAT(faults("- 1\n", [](const ConfigMap&) {}), HasSubstr("expected a map, not a list"));
}

TEST(Config, DeepNestingIsRefused) {
  EXPECT_THAT(faults("a: " + std::string(100, '[') + std::string(100, ']'), [](const ConfigMap&) {}),
              HasSubstr("deeper than 64"));
  EXPECT_NE(faults("a: " + std::string(100'000, '['), [](const ConfigMap&) {}), "");
  std::string block;
  for (int i = 0; i < 500; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(faults(block, [](const ConfigMap&) {}), HasSubstr("deeper than 64"));
}

TEST(Config, AnchorsThatExplodeAreRefused) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += (j ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_THAT(faults(text, [](const ConfigMap&) {}), HasSubstr("anchors unfold to more than"));
  std::string deep = "a0: &a0 [1]\n";
  for (int i = 1; i < 100; ++i)
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  EXPECT_THAT(faults(deep, [](const ConfigMap&) {}), HasSubstr("deeper than 64"));
  EXPECT_THAT(faults("a: &a [*a]\n", [](const ConfigMap&) {}), HasSubstr("error"));
}

TEST(Config, AliasesReadLikeTheirAnchor) {
  Config config = Config::text("a: &x {n: 1}\nb: *x\n", "a.yaml");
  EXPECT_EQ(config.root().map("a").integer("n"), 1);
  EXPECT_EQ(config.root().map("b").integer("n"), 1);
  config.finish();
}

TEST(Config, EntriesReadMapsWithTheUsersNames) {
  Config config = Config::text("algorithms:\n  ring: {n: 1}\n  tree: {n: 2}\n", "a.yaml");
  std::vector<std::string> names;
  for (const auto& [name, value] : config.root().map("algorithms").entries())
    names.push_back(name + std::to_string(value.map().integer("n")));
  EXPECT_THAT(names, testing::ElementsAre("ring1", "tree2"));
  config.finish();
}

TEST(Config, AFileThatCannotBeReadIsAnError) {
  EXPECT_THROW(Config::file("/does/not/exist.yaml"), ConfigError);
  EXPECT_THROW(Config::file("/"), ConfigError);
}

}  // namespace
}  // namespace tutti
