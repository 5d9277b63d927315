#include "workload/convert/old_schema.h"

#include <array>
#include <protozero/pbf_reader.hpp>

#include "base/error.h"
#include "workload/formats/chakra/schema.h"

namespace tutti::workload::convert {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

std::string text_of(pbf_reader& m) {
  const auto v = m.get_view();
  return {v.data(), v.size()};
}

/// What 0.0.1 calls its fields 5 to 20.
constexpr std::array flat_names = {
    "tensor_loc",         "tensor_size", "runtime",   "input_tensor_loc", "input_tensor_size", "output_tensor_loc",
    "output_tensor_size", "num_ops",     "comm_type", "involved_dim",     "communicator_id",   "comm_src",
    "comm_dst",           "comm_size",   "comm_tag",  "comm_priority"};

const char* kind_of(std::string_view name) {
  if (name == "is_cpu_op") return "boolVal";
  if (name == "tensor_size") return "uint64Val";
  if (name == "comm_src" || name == "comm_dst" || name == "comm_tag" || name == "comm_priority") return "int32Val";
  return "int64Val";
}

class Old {
 public:
  Old(Schema schema, std::string_view frame) : schema_(schema), m_(frame.data(), frame.size()) {}

  Json node() {
    while (m_.next()) {
      const auto tag = m_.tag();
      const bool varint = m_.wire_type() == pbf_wire_type::varint;
      const bool text = m_.wire_type() == pbf_wire_type::length_delimited;
      if (tag == 1 && varint)
        id_ = m_.get_uint64();
      else if (tag == 2 && text)
        name_ = text_of(m_);
      else if (tag == 3 && varint)
        type(m_.get_uint64());
      else if (tag == 4 && varint)
        parents_.push_back(std::to_string(m_.get_uint64()));
      else if (tag == 4 && text)
        for (const auto p : m_.get_packed_uint64()) parents_.push_back(std::to_string(p));
      else if (schema_ == Schema::v0_0_1 && tag == 14 && varint)
        dims_.push_back(m_.get_bool());
      else if (schema_ == Schema::v0_0_1 && tag == 14 && text)
        for (const auto b : m_.get_packed_bool()) dims_.push_back(static_cast<bool>(b));
      else if (schema_ == Schema::v0_0_1 && tag >= 5 && tag <= 20 && varint)
        flat(tag, m_.get_int64());
      else if (schema_ != Schema::v0_0_1 && tag >= 5 && tag <= 10 && text)
        io_.push_back({tag, text_of(m_)});
      else if (schema_ != Schema::v0_0_1 && tag == 11 && text)
        attribute(m_.get_message());
      else
        unknown(m_, "a node");
    }
    return result();
  }

 private:
  [[noreturn]] void unknown(const pbf_reader& m, const char* of) const {
    throw ConfigError("field " + std::to_string(m.tag()) + " of " + of + " is unknown to schema " +
                      std::string(to_string(schema_)));
  }
  void type(std::uint64_t raw) {
    const NodeType t = chakra::node_type(schema_, raw);
    if (t == NodeType::unknown) throw ConfigError("type " + std::to_string(raw) + " has no counterpart");
    type_ = static_cast<std::uint32_t>(t);
  }
  void flat(std::uint32_t tag, std::int64_t value) {
    const char* const name = flat_names[tag - 5];
    if (tag == 13 && value == 0) return;  // no collective
    integer(name, value);
  }
  void integer(const std::string& name, std::int64_t value) {
    if (name == "runtime" || name == "simulated_run_time") runtime_ = static_cast<std::uint64_t>(value);
    if (name == "comm_type") {
      const CollectiveKind k = chakra::collective_kind(schema_, value);
      if (k == CollectiveKind::unknown) throw ConfigError("comm_type " + std::to_string(value) + " has no counterpart");
      value = static_cast<std::int64_t>(k);
    }
    const std::string_view kind = kind_of(name);
    if (kind == "int32Val" && value >= INT32_MIN && value <= INT32_MAX)
      attributes_.push_back(attribute_json(name, "int32Val", value));
    else if (kind == "boolVal")
      attributes_.push_back(attribute_json(name, "boolVal", value != 0));
    else if (kind == "uint64Val")
      attributes_.push_back(attribute_json(name, "uint64Val", std::to_string(static_cast<std::uint64_t>(value))));
    else
      attributes_.push_back(attribute_json(name, "int64Val", std::to_string(value)));
  }

  /// 0.0.2: f=4 i=5 s=6 floats=7 ints=8 strings=9; 0.0.3: b=4 f=5 i=6 s=7 bools=8 floats=9 ints=10 strings=11.
  void attribute(pbf_reader a) {
    const bool later = schema_ == Schema::v0_0_3;
    const std::uint32_t shift = later ? 1 : 0, lists = later ? 9 : 7;
    std::string name, doc;
    Json found;  // kind and value, if not an integer
    const char* kind = nullptr;
    std::optional<std::int64_t> whole;
    const auto add = [&](const char* of, Json v) {
      kind = of;
      found["values"].push_back(std::move(v));
    };
    while (a.next()) {
      const auto tag = a.tag();
      const auto wire = a.wire_type();
      const bool text = wire == pbf_wire_type::length_delimited, varint = wire == pbf_wire_type::varint;
      if (tag == 1 && text) {
        name = text_of(a);
      } else if (tag == 2 && varint) {
        a.skip();  // its type, which the value tells
      } else if (tag == 3 && text) {
        doc = text_of(a);
      } else if (later && tag == 4 && varint) {
        if (std::string_view(kind_of(name)) == "boolVal")
          whole = a.get_bool();
        else
          kind = "boolVal", found = a.get_bool();
      } else if (tag == 4 + shift && wire == pbf_wire_type::fixed32) {
        kind = "floatVal", found = static_cast<double>(a.get_float());
      } else if (tag == 5 + shift && varint) {
        whole = a.get_int64();
      } else if (tag == 6 + shift && text) {
        kind = "stringVal", found = text_of(a);
      } else if (later && tag == 8 && varint) {
        add("boolList", a.get_bool());
      } else if (later && tag == 8 && text) {
        for (const auto b : a.get_packed_bool()) add("boolList", static_cast<bool>(b));
      } else if (tag == lists && wire == pbf_wire_type::fixed32) {
        add("floatList", static_cast<double>(a.get_float()));
      } else if (tag == lists && text) {
        for (const float f : a.get_packed_float()) add("floatList", static_cast<double>(f));
      } else if (tag == lists + 1 && (varint || text)) {
        const bool bools = name == "involved_dim";  // 0.0.2 has no list of booleans
        const auto one = [&](std::int64_t v) { bools ? add("boolList", v != 0) : add("int64List", std::to_string(v)); };
        if (varint)
          one(a.get_int64());
        else
          for (const auto v : a.get_packed_int64()) one(v);
      } else if (tag == lists + 2 && text) {
        add("stringList", text_of(a));
      } else {
        unknown(a, "an attribute");
      }
    }
    if (whole)
      integer(name, *whole);
    else if (kind)
      attributes_.push_back(attribute_json(name, kind, std::move(found)));
    else
      attributes_.push_back({{"name", name}});
    if (!doc.empty()) attributes_.back()["docString"] = doc;
  }

  Json result() const {
    constexpr std::array types = {"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                  "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
    Json out = Json::object();
    if (id_ != 0) out["id"] = std::to_string(id_);
    if (!name_.empty()) out["name"] = name_;
    if (type_ != 0) out["type"] = types[type_];
    if (!parents_.empty()) out["dataDeps"] = parents_;
    if (runtime_ != 0) out["durationMicros"] = std::to_string(runtime_ / 1000 + (runtime_ % 1000 != 0));
    for (const auto& [tag, text] : io_) {
      constexpr std::array keys = {"values", "shapes", "types"};
      Json& io = out[tag <= 7 ? "inputs" : "outputs"][keys[(tag - 5) % 3]];
      io = io.is_string() ? io.get<std::string>() + "," + text : text;
    }
    Json all = attributes_;
    if (!dims_.empty()) all.push_back(attribute_json("involved_dim", "boolList", {{"values", dims_}}));
    if (!all.empty()) out["attr"] = std::move(all);
    return out;
  }

  Schema schema_;
  pbf_reader m_;
  std::uint64_t id_ = 0, runtime_ = 0;
  std::uint32_t type_ = 0;
  std::string name_;
  Json parents_ = Json::array(), dims_ = Json::array(), attributes_ = Json::array();
  std::vector<std::pair<std::uint32_t, std::string>> io_;
};

}  // namespace

Json from_old(Schema schema, std::string_view frame) { return Old(schema, frame).node(); }

}  // namespace tutti::workload::convert
