#include "workload/convert/convert.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <sstream>

#include "base/error.h"
#include "workload/convert/base64.h"
#include "workload/convert/proto_json.h"
#include "workload/convert/value_kinds.h"
#include "workload/trace_format.h"
#include "workload/trace_writer.h"

namespace tutti::workload::convert {
namespace {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tutti-convert-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path + "/" + name, std::ios::binary) << content;
    return path + "/" + name;
  }
  /// Content after conversion from a file of `content`.
  std::string converted(const std::string& content, Form to, std::optional<Schema> schema = {}) const {
    const std::string from = file("from", content), out = path + "/to";
    convert_file(from, out, {to, schema});
    std::ostringstream text;
    text << std::ifstream(out, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string refusal(const std::string& content) const {
    try {
      std::filesystem::remove(path + "/to");
      converted(content, Form::et);
    } catch (const ConfigError& e) {
      EXPECT_FALSE(std::filesystem::exists(path + "/to")) << "half a file is left";
      EXPECT_FALSE(std::filesystem::exists(path + "/to.part"));
      return e.what();
    }
    return "";
  }
  std::string path;
};

/// A node with an attribute of every kind, scalar and list, at the ends of its range, and every other field.
std::string everything() {
  std::string frame;
  protozero::pbf_writer n(frame);
  n.add_uint64(1, UINT64_MAX);
  n.add_string(2, "a \"name\" \\ with {braces} and \xC3\xA9");
  n.add_uint32(3, 7);
  const std::uint64_t parents[] = {1, UINT64_MAX - 1};
  n.add_packed_uint64(4, std::begin(parents), std::end(parents));
  n.add_packed_uint64(5, std::begin(parents), std::end(parents));
  n.add_uint64(6, 5);
  n.add_uint64(7, 6);
  for (const std::uint32_t field : {8U, 9U}) {
    protozero::pbf_writer io(n, field);
    io.add_string(1, "[1]");
    io.add_string(2, "[[2]]");
    io.add_string(3, "[\"f\"]");
  }
  const auto with = [&](const char* name, auto body) {
    protozero::pbf_writer a(n, 10);
    a.add_string(1, name);
    body(a);
  };
  const auto list = [&](const char* name, std::uint32_t field, auto body) {
    with(name, [&](auto& a) {
      protozero::pbf_writer m(a, field);
      body(m);
    });
  };
  with("double", [](auto& a) { a.add_double(3, -0.1); });
  with("float", [](auto& a) { a.add_float(5, 0.1F); });
  with("infinite", [](auto& a) { a.add_float(5, -std::numeric_limits<float>::infinity()); });
  with("i32", [](auto& a) { a.add_int32(7, INT32_MIN); });
  with("i64", [](auto& a) { a.add_int64(9, INT64_MIN); });
  with("u32", [](auto& a) { a.add_uint32(11, UINT32_MAX); });
  with("u64", [](auto& a) { a.add_uint64(13, UINT64_MAX); });
  with("s32", [](auto& a) { a.add_sint32(15, INT32_MIN); });
  with("s64", [](auto& a) { a.add_sint64(17, INT64_MIN); });
  with("f32", [](auto& a) { a.add_fixed32(19, 9); });
  with("f64", [](auto& a) { a.add_fixed64(21, 9); });
  with("sf32", [](auto& a) { a.add_sfixed32(23, -9); });
  with("sf64", [](auto& a) { a.add_sfixed64(25, -9); });
  with("bool", [](auto& a) { a.add_bool(27, false); });
  with("text", [](auto& a) { a.add_string(29, "{\"key\": [1, 2]}"); });
  with("bytes", [](auto& a) { a.add_bytes(31, std::string("\0\xFF\x7F.", 4)); });
  with("documented", [](auto& a) { a.add_string(2, "why"), a.add_int32(7, 0); });
  with("comm_size", [](auto& a) { a.add_uint32(11, 5); });
  with("comm_type", [](auto& a) { a.add_int64(9, 6); });
  with("name", [](auto& a) { a.add_int64(9, 6); });  // a key of its own in the form of STAGE
  with("no value", [](auto&) {});
  const double doubles[] = {1, 0.5};
  const float floats[] = {1, 0.1F};
  const std::int64_t numbers[] = {-1, 300};
  list("doubles", 4, [&](auto& m) { m.add_packed_double(1, std::begin(doubles), std::end(doubles)); });
  list("floats", 6, [&](auto& m) { m.add_packed_float(1, std::begin(floats), std::end(floats)); });
  list("i64s", 10, [&](auto& m) { m.add_packed_int64(1, std::begin(numbers), std::end(numbers)); });
  list("s64s", 18, [&](auto& m) { m.add_packed_sint64(1, std::begin(numbers), std::end(numbers)); });
  const std::uint32_t small[] = {7, 300};
  list("u32s", 12, [&](auto& m) { m.add_packed_uint32(1, std::begin(small), std::end(small)); });
  list("f32s", 20, [&](auto& m) { m.add_packed_fixed32(1, std::begin(small), std::end(small)); });
  list("bools", 28, [&](auto& m) {
    m.add_packed_uint32(1, std::begin(small), std::begin(small) + 0), m.add_bytes(1, std::string("\1\0\1", 3));
  });
  list("texts", 30, [&](auto& m) { m.add_string(1, "x"), m.add_string(1, ""); });
  list("blobs", 32, [&](auto& m) { m.add_bytes(1, "x"), m.add_bytes(1, std::string("\0", 1)); });
  with("empty", [](auto& a) { a.add_bytes(8, ""); });
  return frame;
}

std::string trace_with(const std::vector<std::string>& frames) {
  TraceWriter w(Schema::v1_0_0);
  for (const std::string& f : frames) w.raw_frame(f);
  return w.bytes();
}

TEST(Convert, EveryFieldAndEveryKindOfAttributeComesBackByteForByteThroughEitherJson) {
  Folder f;
  const std::string et = trace_with({everything(), std::string("\x18\x04", 2), ""});
  for (const Form form : {Form::json, Form::stage}) {
    const std::string json = f.converted(et, form);
    EXPECT_EQ(f.converted(json, Form::et), et) << json;
    EXPECT_EQ(f.converted(json, form), json);
  }
}

TEST(Convert, TheMappingIsProtobufs) {
  std::string frame;
  protozero::pbf_writer n(frame);
  n.add_uint64(1, 3);
  n.add_string(2, "x");
  n.add_uint32(3, 5);
  {
    protozero::pbf_writer a(n, 10);
    a.add_string(1, "comm_size");
    a.add_int64(9, -4);
  }
  EXPECT_EQ(node_to_json(frame).dump(),
            R"({"id":"3","name":"x","type":"COMM_SEND_NODE","attr":[{"name":"comm_size","int64Val":"-4"}]})");
}

TEST(Convert, ObjectsStandOneAfterTheOtherWithOrWithoutSpaceAndOriginalNamesAreRead) {
  Folder f;
  const std::string et = f.converted(
      R"({"version": "0.0.4"}{ "id": 1, "type": "COMP_NODE", "durationMicros": "7"}
{"id":"2","type":4,"data_deps":["1"],"ctrlDeps":[1],"attr":[{"name":"num_ops","int64_val":"9"},{"name":"t","bytesVal":"AAE="}]})",
      Form::et);
  const ReadResult r = read_trace(f.file("t.0.et", et));
  ASSERT_TRUE(r.faults.ok()) << r.faults.text();
  ASSERT_EQ(r.trace.nodes.size(), 2U);
  EXPECT_EQ(r.trace.version, "1.0.0");
  EXPECT_EQ(r.trace.nodes[0].duration_ns, 7000U);
  EXPECT_EQ(r.trace.nodes[1].num_ops, 9U);
  EXPECT_EQ(r.trace.parents(r.trace.nodes[1]).size(), 2U);
}

TEST(Convert, TheJsonOfStageBecomesNodesWithGroupsAndSizes) {
  Folder f;
  const std::string et = f.converted(R"({"nodes": [
    {"id": 5, "name": "c", "node_type": "comp_node", "y_tensor_size": 64, "num_ops": 128, "data_deps": [], "ctrl_deps": [], "op_type": "M"},
    {"id": 6, "name": "r", "node_type": "coll_comm_node", "comm_type": "reduce_scatter", "comm_size": 4096, "comm_group": 3, "data_deps": [5], "ctrl_deps": []}]})",
                                     Form::et);
  const ReadResult r = read_trace(f.file("t.0.et", et));
  ASSERT_TRUE(r.faults.ok()) << r.faults.text();
  ASSERT_EQ(r.trace.nodes.size(), 2U);
  const Node &c = r.trace.nodes[0], &k = r.trace.nodes[1];
  EXPECT_EQ(std::tuple(c.type, c.tensor_size, c.num_ops), std::tuple(NodeType::comp, 64U, 128U));
  EXPECT_EQ(std::tuple(k.type, k.collective, k.comm_size),
            std::tuple(NodeType::comm_coll, CollectiveKind::reduce_scatter, 4096));
  EXPECT_EQ(r.trace.group(k), "3");
  EXPECT_EQ(r.trace.deps, std::vector<std::uint32_t>{0});
}

TEST(Convert, OlderSchemasBecomeTheLastOneWithTheSameMeaning) {
  for (const Schema schema : {Schema::v0_0_1, Schema::v0_0_2, Schema::v0_0_3, Schema::v0_0_4, Schema::v1_0_0}) {
    Folder f;
    TraceWriter w(schema);
    NodeSpec comp, coll, send;
    comp.id = 1, comp.name = "comp", comp.duration_us = 12, comp.num_ops = 100, comp.tensor_size = 200;
    coll.id = 2, coll.name = "coll", coll.type = NodeType::comm_coll, coll.collective = CollectiveKind::all_gather;
    coll.comm_size = std::int64_t{1} << 40, coll.involved_dim = {true, false, true}, coll.data_deps = {1};
    send.id = 3, send.name = "send", send.type = NodeType::comm_send, send.comm_src = 0, send.comm_dst = 3,
    send.comm_tag = 9;
    send.comm_size = 77, send.data_deps = {1, 2};
    for (const NodeSpec& n : {comp, coll, send}) w.add(n);
    ReadOptions told;
    told.schema = schema;
    const ReadResult before = read_trace(f.file("a.0.et", w.bytes()), told);
    const ReadResult after = read_trace(f.file("b.0.et", f.converted(w.bytes(), Form::et, schema)));
    ASSERT_TRUE(before.faults.ok() && after.faults.ok()) << before.faults.text() << after.faults.text();
    EXPECT_EQ(after.trace.schema, Schema::v1_0_0);
    ASSERT_EQ(after.trace.nodes.size(), 3U);
    EXPECT_EQ(before.trace.deps, after.trace.deps);
    for (std::size_t i = 0; i < 3; ++i) {
      const Node &a = before.trace.nodes[i], &b = after.trace.nodes[i];
      const auto all = [](const Node& n) {
        return std::tuple(n.id, n.type, n.duration_ns, n.num_ops, n.tensor_size, n.comm_size, n.comm_src, n.comm_dst,
                          n.comm_tag, n.collective, n.dim_mask, n.dim_count);
      };
      EXPECT_EQ(all(a), all(b)) << to_string(schema) << " " << i;
      EXPECT_EQ(before.trace.name(a), after.trace.name(b));
    }
  }
}

TEST(Convert, WhatCannotBeConvertedIsRefusedWithItsByteAndNothingIsLeft) {
  Folder f;
  const auto says = [&](const std::string& content, const std::string& what) {
    EXPECT_NE(f.refusal(content).find(what), std::string::npos) << what << ": " << f.refusal(content);
  };
  const std::string et = trace_with({everything()});
  says(et.substr(0, et.size() - 1), "truncated");
  says(trace_with({std::string("\xA8\x01\x01", 3)}), "field 21 of a node");
  says(R"({"version":"1.0.0"}{"id":"x"})", "at byte 19: id: \"x\" is no integer");
  says(R"({"version":"1.0.0"}{"idd":1})", "unknown key 'idd'");
  says(R"({"version":"1.0.0"}{"id":1)", "does not end");
  says(R"({}{"attr":[{"name":"a","int32Val":2147483648}]})", "no integer of its kind");
  says(R"({}{"attr":[{"name":"a","int32Val":1,"int64Val":"1"}]})", "one value");
  says(R"({}{"type":"SOMETHING"})", "no type of node");
  says(R"({"nodes":[{"id":1}]})", "node_type");
  says(R"({"nodes":[{"id":1,"node_type":"comp_node"}],"more":1})", "unexpected key 'more'");
  says(R"({"nodes":[{"id":1,"node_type":"coll_comm_node","comm_type":"all"}]})", "no collective");
}

TEST(Convert, Base64HasTheVectorsOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : vectors) {
    std::string back;
    EXPECT_EQ(base64(plain), coded);
    EXPECT_TRUE(from_base64(coded, back));
    EXPECT_EQ(back, plain);
  }
  std::string unused;
  EXPECT_FALSE(from_base64("a", unused) || from_base64("ab*d", unused));
}

}  // namespace
}  // namespace tutti::workload::convert
