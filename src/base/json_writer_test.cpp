#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace tutti {
namespace {

TEST(JsonWriter, WritesMembersAndEntriesOnALineEach) {
  JsonWriter json;
  json.begin_object().field("schema", 1).field("makespan_ns", Time::ps(12'345'678)).key("ranks").begin_array();
  for (int r = 0; r < 2; ++r)
    json.begin_object().field("rank", r).field("done", r == 0).field("hops", std::vector<int>{1, 2}).end_object();
  json.end_array().key("none").begin_array().end_array().end_object();
  EXPECT_EQ(json.take(),
            "{\n  \"schema\": 1,\n  \"makespan_ns\": 12345.678,\n  \"ranks\": [\n"
            "    {\"rank\": 0, \"done\": true, \"hops\": [1, 2]},\n"
            "    {\"rank\": 1, \"done\": false, \"hops\": [1, 2]}\n  ],\n  \"none\": []\n}\n");
}

TEST(JsonWriter, NumbersAreExactAndNeverNotANumber) {
  JsonWriter json;
  json.begin_array()
      .value(0.1)
      .value(1e300)
      .value(std::nan(""))
      .value(HUGE_VAL)
      .value(INT64_MIN)
      .value(UINT64_MAX)
      .value(Time::ps(-20'500))
      .value(Bytes(7))
      .null()
      .end_array();
  EXPECT_EQ(json.take(),
            "[\n  0.1,\n  1e+300,\n  null,\n  null,\n  -9223372036854775808,\n  18446744073709551615,\n  -20.5,\n  7,\n"
            "  null\n]\n");
}

TEST(JsonWriter, AnAbsentValueLeavesItsKeyOut) {
  JsonWriter json;
  json.begin_object().field("a", std::optional<int>()).field("b", std::optional<int>(3)).end_object();
  EXPECT_EQ(json.take(), "{\n  \"b\": 3\n}\n");
}

TEST(JsonWriter, TextIsEscaped) {
  EXPECT_EQ(json_quoted("a\"b\\c\n\t\x01/"), R"("a\"b\\c\n\t\u0001/")");
  EXPECT_EQ(json_quoted("\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb5"), "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb5\"");
}

TEST(JsonWriter, TextThatIsNotUtf8IsReplaced) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(json_quoted("a\xff"), "\"a" + bad + "\"");
  EXPECT_EQ(json_quoted("\xc0\xaf"), "\"" + bad + bad + "\"");            // overlong
  EXPECT_EQ(json_quoted("\xed\xa0\x80"), "\"" + bad + bad + bad + "\"");  // surrogate
  EXPECT_EQ(json_quoted("\xe2\x82"), "\"" + bad + bad + "\"");            // cut off
}

TEST(JsonWriter, MisuseIsAnInternalError) {
  EXPECT_THROW(JsonWriter().begin_object().value(1), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().key("a"), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().end_object(), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().take(), InternalError);
  EXPECT_THROW(JsonWriter().value(1).value(2), InternalError);
}

TEST(JsonWriter, InputsCarryTheirOrigin) {
  JsonWriter json;
  json.begin_object();
  write_inputs(json, {{"n_slots", "8", "ccl.yaml:7"}, {"n_slots", "8", "default"}, {"seed", "1", "--seed"}});
  json.end_object();
  EXPECT_EQ(json.take(),
            "{\n  \"inputs\": {\n    \"n_slots\": {\"value\": \"8\", \"origin\": \"ccl.yaml:7\"},\n"
            "    \"seed\": {\"value\": \"1\", \"origin\": \"--seed\"}\n  }\n}\n");
}

}  // namespace
}  // namespace tutti
