#include <cmath>
#include <protozero/pbf_reader.hpp>

#include "base/error.h"
#include "workload/convert/base64.h"
#include "workload/convert/proto_json.h"
#include "workload/convert/value_kinds.h"

namespace tutti::workload::convert {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

[[noreturn]] void unknown(const pbf_reader& m, const char* of) {
  throw ConfigError("field " + std::to_string(m.tag()) + " of " + of +
                    " is unknown to schema 1.0.0, or of another type");
}

std::string text_of(pbf_reader& m) {
  const auto v = m.get_view();
  return {v.data(), v.size()};
}

Json real(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "Infinity" : "-Infinity";
  return v;
}

pbf_wire_type wire_of(Wire w) {
  switch (w) {
    case Wire::f64:
    case Wire::fix64:
    case Wire::sfix64:
      return pbf_wire_type::fixed64;
    case Wire::f32:
    case Wire::fix32:
    case Wire::sfix32:
      return pbf_wire_type::fixed32;
    case Wire::text:
    case Wire::bytes:
      return pbf_wire_type::length_delimited;
    default:
      return pbf_wire_type::varint;
  }
}

Json scalar(pbf_reader& m, Wire w) {
  switch (w) {
    case Wire::f64:
      return real(m.get_double());
    case Wire::f32:
      return real(static_cast<double>(m.get_float()));
    case Wire::i32:
      return m.get_int32();
    case Wire::i64:
      return std::to_string(m.get_int64());
    case Wire::u32:
      return m.get_uint32();
    case Wire::u64:
      return std::to_string(m.get_uint64());
    case Wire::s32:
      return m.get_sint32();
    case Wire::s64:
      return std::to_string(m.get_sint64());
    case Wire::fix32:
      return m.get_fixed32();
    case Wire::fix64:
      return std::to_string(m.get_fixed64());
    case Wire::sfix32:
      return m.get_sfixed32();
    case Wire::sfix64:
      return std::to_string(m.get_sfixed64());
    case Wire::boolean:
      return m.get_bool();
    case Wire::text:
      return text_of(m);
    case Wire::bytes:
      return base64(text_of(m));
  }
  return {};
}

template <class Range, class Item>
void append(Json& list, const Range& range, Item item) {
  for (const auto v : range) list.push_back(item(v));
}

/// The values of a list message, packed or one by one.
Json list(pbf_reader m, Wire w) {
  Json values = Json::array();
  const auto as_text = [](auto v) { return std::to_string(v); };
  const auto as_is = [](auto v) { return v; };
  while (m.next()) {
    if (m.tag() != 1) unknown(m, "a list");
    if (m.wire_type() == wire_of(w)) {
      values.push_back(scalar(m, w));
      continue;
    }
    if (m.wire_type() != pbf_wire_type::length_delimited) unknown(m, "a list");
    switch (w) {
      case Wire::f64:
        append(values, m.get_packed_double(), real);
        break;
      case Wire::f32:
        append(values, m.get_packed_float(), [](float v) { return real(static_cast<double>(v)); });
        break;
      case Wire::i32:
        append(values, m.get_packed_int32(), as_is);
        break;
      case Wire::i64:
        append(values, m.get_packed_int64(), as_text);
        break;
      case Wire::u32:
        append(values, m.get_packed_uint32(), as_is);
        break;
      case Wire::u64:
        append(values, m.get_packed_uint64(), as_text);
        break;
      case Wire::s32:
        append(values, m.get_packed_sint32(), as_is);
        break;
      case Wire::s64:
        append(values, m.get_packed_sint64(), as_text);
        break;
      case Wire::fix32:
        append(values, m.get_packed_fixed32(), as_is);
        break;
      case Wire::fix64:
        append(values, m.get_packed_fixed64(), as_text);
        break;
      case Wire::sfix32:
        append(values, m.get_packed_sfixed32(), as_is);
        break;
      case Wire::sfix64:
        append(values, m.get_packed_sfixed64(), as_text);
        break;
      case Wire::boolean:
        append(values, m.get_packed_bool(), [](auto v) { return static_cast<bool>(v); });
        break;
      default:
        break;
    }
  }
  return values.empty() ? Json::object() : Json{{"values", values}};
}

Json attribute(pbf_reader m) {
  Json out = Json::object();
  while (m.next()) {
    const auto tag = m.tag();
    const bool text = m.wire_type() == pbf_wire_type::length_delimited;
    if (tag <= 2 && text) {
      if (std::string t = text_of(m); !t.empty()) out[tag == 1 ? "name" : "docString"] = std::move(t);
      continue;
    }
    if (tag < 3 || tag > 32) unknown(m, "an attribute");
    const ValueKind& kind = value_kinds[(tag - 3) / 2];
    for (const ValueKind& k : value_kinds) out.erase(k.scalar), out.erase(k.list);  // one of: the last one counts
    if (tag % 2 == 0) {
      if (!text) unknown(m, "an attribute");
      out[kind.list] = list(m.get_message(), kind.wire);
    } else {
      if (m.wire_type() != wire_of(kind.wire)) unknown(m, "an attribute");
      out[kind.scalar] = scalar(m, kind.wire);
    }
  }
  return out;
}

Json io_info(pbf_reader m) {
  Json out = Json::object();
  while (m.next()) {
    if (m.tag() < 1 || m.tag() > 3 || m.wire_type() != pbf_wire_type::length_delimited) unknown(m, "an IOInfo");
    const char* const key = m.tag() == 1 ? "values" : m.tag() == 2 ? "shapes" : "types";
    if (std::string t = text_of(m); !t.empty()) out[key] = std::move(t);
  }
  return out;
}

void parents(pbf_reader& m, const char* key, Json& out) {
  Json& to = out[key];
  if (m.wire_type() == pbf_wire_type::varint)
    to.push_back(std::to_string(m.get_uint64()));
  else if (m.wire_type() == pbf_wire_type::length_delimited)
    append(to, m.get_packed_uint64(), [](auto v) { return std::to_string(v); });
  else
    unknown(m, "a node");
  if (to.empty()) out.erase(key);
}

constexpr const char* type_names[] = {"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                      "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};

}  // namespace

Json node_to_json(std::string_view frame) {
  Json out = Json::object();
  pbf_reader m(frame.data(), frame.size());
  while (m.next()) {
    const auto tag = m.tag();
    const bool varint = m.wire_type() == pbf_wire_type::varint;
    const bool text = m.wire_type() == pbf_wire_type::length_delimited;
    if (varint && (tag == 1 || tag == 6 || tag == 7)) {
      const std::uint64_t v = m.get_uint64();
      if (v != 0) out[tag == 1 ? "id" : tag == 6 ? "startTimeMicros" : "durationMicros"] = std::to_string(v);
    } else if (tag == 2 && text) {
      if (std::string t = text_of(m); !t.empty()) out["name"] = std::move(t);
    } else if (tag == 3 && varint) {
      const std::uint64_t v = m.get_uint64();
      if (v >= std::size(type_names))
        out["type"] = v;
      else if (v != 0)
        out["type"] = type_names[v];
    } else if (tag == 4 || tag == 5) {
      parents(m, tag == 4 ? "ctrlDeps" : "dataDeps", out);
    } else if ((tag == 8 || tag == 9) && text) {
      out[tag == 8 ? "inputs" : "outputs"] = io_info(m.get_message());
    } else if (tag == 10 && text) {
      out["attr"].push_back(attribute(m.get_message()));
    } else {
      unknown(m, "a node");
    }
  }
  return out;
}

Json metadata_to_json(std::string_view frame) {
  Json out = Json::object();
  pbf_reader m(frame.data(), frame.size());
  while (m.next()) {
    const bool text = m.wire_type() == pbf_wire_type::length_delimited;
    if (m.tag() == 1 && text) {
      if (std::string t = text_of(m); !t.empty()) out["version"] = std::move(t);
    } else if (m.tag() == 2 && text) {
      out["attr"].push_back(attribute(m.get_message()));
    } else {
      unknown(m, "the metadata");
    }
  }
  return out;
}

Json attribute_json(std::string_view name, const char* kind, Json value) {
  return {{"name", std::string(name)}, {kind, std::move(value)}};
}

}  // namespace tutti::workload::convert
