#include <charconv>
#include <cmath>
#include <limits>
#include <protozero/pbf_writer.hpp>

#include "base/error.h"
#include "workload/convert/base64.h"
#include "workload/convert/proto_json.h"
#include "workload/convert/value_kinds.h"

namespace tutti::workload::convert {
namespace {

using protozero::pbf_writer;

[[noreturn]] void refuse(const std::string& key, const Json& value, const char* wanted) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 60) + "...";
  throw ConfigError(key + ": " + text + " is no " + wanted);
}

/// A number, or a number as text, within the range of T.
template <class T>
T integer(const std::string& key, const Json& v) {
  const char* const wanted = "integer of its kind";
  T out{};
  if (v.is_number_unsigned()) {
    const auto n = v.get<std::uint64_t>();
    if (n > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) refuse(key, v, wanted);
    return static_cast<T>(n);
  }
  if (v.is_number_integer()) {
    const auto n = v.get<std::int64_t>();  // negative
    if (std::is_unsigned_v<T> || n < static_cast<std::int64_t>(std::numeric_limits<T>::min())) refuse(key, v, wanted);
    return static_cast<T>(n);
  }
  if (!v.is_string()) refuse(key, v, wanted);
  const auto& s = v.get_ref<const std::string&>();
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  if (error != std::errc() || end != s.data() + s.size()) refuse(key, v, wanted);
  return out;
}

double real(const std::string& key, const Json& v) {
  if (v.is_number()) return v.get<double>();
  if (v == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (v == "Infinity") return std::numeric_limits<double>::infinity();
  if (v == "-Infinity") return -std::numeric_limits<double>::infinity();
  refuse(key, v, "number");
}

const std::string& text(const std::string& key, const Json& v) {
  if (!v.is_string()) refuse(key, v, "text");
  return v.get_ref<const std::string&>();
}

const Json& array(const std::string& key, const Json& v) {
  if (!v.is_array()) refuse(key, v, "list");
  return v;
}

void scalar(pbf_writer& w, std::uint32_t field, Wire wire, const std::string& key, const Json& v) {
  switch (wire) {
    case Wire::f64:
      return w.add_double(field, real(key, v));
    case Wire::f32:
      return w.add_float(field, static_cast<float>(real(key, v)));
    case Wire::i32:
      return w.add_int32(field, integer<std::int32_t>(key, v));
    case Wire::i64:
      return w.add_int64(field, integer<std::int64_t>(key, v));
    case Wire::u32:
      return w.add_uint32(field, integer<std::uint32_t>(key, v));
    case Wire::u64:
      return w.add_uint64(field, integer<std::uint64_t>(key, v));
    case Wire::s32:
      return w.add_sint32(field, integer<std::int32_t>(key, v));
    case Wire::s64:
      return w.add_sint64(field, integer<std::int64_t>(key, v));
    case Wire::fix32:
      return w.add_fixed32(field, integer<std::uint32_t>(key, v));
    case Wire::fix64:
      return w.add_fixed64(field, integer<std::uint64_t>(key, v));
    case Wire::sfix32:
      return w.add_sfixed32(field, integer<std::int32_t>(key, v));
    case Wire::sfix64:
      return w.add_sfixed64(field, integer<std::int64_t>(key, v));
    case Wire::boolean:
      if (!v.is_boolean()) refuse(key, v, "true or false");
      return w.add_bool(field, v.get<bool>());
    case Wire::text:
      return w.add_string(field, text(key, v));
    case Wire::bytes:
      std::string bytes;
      if (!from_base64(text(key, v), bytes)) refuse(key, v, "base64");
      return w.add_bytes(field, bytes);
  }
}

/// The packed form of a list: what the single values are, without their tags.
void list(pbf_writer& attribute, const ValueKind& kind, const std::string& key, const Json& v) {
  if (!v.is_object()) refuse(key, v, "object with values");
  std::string content;  // of its own: an empty list counts as well
  pbf_writer message(content);
  for (const auto& [name, values] : v.items()) {
    if (name != "values") refuse(key, v, "object with values");
    if (array(key, values).empty()) continue;
    if (kind.wire == Wire::text || kind.wire == Wire::bytes) {
      for (const Json& one : values) scalar(message, 1, kind.wire, key, one);
      continue;
    }
    std::string packed, one;
    for (const Json& item : values) {
      one.clear();
      pbf_writer w(one);
      scalar(w, 1, kind.wire, key, item);
      packed.append(one, 1);  // without the tag, a byte for field 1
    }
    message.add_bytes(1, packed);
  }
  attribute.add_bytes(kind.field + 1, content);
}

bool is(const std::string& key, const char* camel, const char* proto) { return key == camel || key == proto; }

void attribute(pbf_writer& parent, std::uint32_t field, const Json& a) {
  if (!a.is_object()) refuse("attr", a, "object");
  pbf_writer w(parent, field);
  int values = 0;
  for (const auto& [key, value] : a.items()) {
    if (key == "name") {
      w.add_string(1, text(key, value));
    } else if (is(key, "docString", "doc_string")) {
      w.add_string(2, text(key, value));
    } else {
      const ValueKind* found = nullptr;
      bool of_list = false;
      for (const ValueKind& k : value_kinds) {
        of_list = is(key, k.list, k.list_proto);
        if (of_list || is(key, k.scalar, k.scalar_proto)) {
          found = &k;
          break;
        }
      }
      if (!found) throw ConfigError("attr: unknown key '" + key + "'");
      if (++values > 1) refuse("attr", a, "attribute with one value");
      of_list ? list(w, *found, key, value) : scalar(w, found->field, found->wire, key, value);
    }
  }
}

void io_info(pbf_writer& node, std::uint32_t field, const std::string& key, const Json& v) {
  if (!v.is_object()) refuse(key, v, "object");
  std::string content;
  pbf_writer w(content);
  for (const auto& [name, value] : v.items()) {
    const std::uint32_t to = name == "values" ? 1 : name == "shapes" ? 2 : name == "types" ? 3 : 0;
    if (to == 0) throw ConfigError(key + ": unknown key '" + name + "'");
    w.add_string(to, text(key, value));
  }
  node.add_bytes(field, content);
}

std::uint32_t node_type(const Json& v) {
  if (!v.is_string()) return integer<std::uint32_t>("type", v);
  std::string name = v.get<std::string>();
  if (name.ends_with("_NODE")) name.resize(name.size() - 5);
  std::uint32_t n = 0;
  for (const char* known :
       {"INVALID", "METADATA", "MEM_LOAD", "MEM_STORE", "COMP", "COMM_SEND", "COMM_RECV", "COMM_COLL"}) {
    if (name == known) return n;
    ++n;
  }
  refuse("type", v, "type of node");
}

void parents(pbf_writer& w, std::uint32_t field, const std::string& key, const Json& v) {
  std::vector<std::uint64_t> ids;
  for (const Json& one : array(key, v)) ids.push_back(integer<std::uint64_t>(key, one));
  w.add_packed_uint64(field, ids.begin(), ids.end());
}

}  // namespace

std::string node_frame(const Json& node) {
  if (!node.is_object()) refuse("node", node, "object");
  std::string frame;
  pbf_writer w(frame);
  const auto number = [&](std::uint32_t field, const std::string& key, const Json& v) {
    if (const auto n = integer<std::uint64_t>(key, v); n != 0) w.add_uint64(field, n);
  };
  for (const auto& [key, v] : node.items()) {
    if (key == "id")
      number(1, key, v);
    else if (key == "name") {
      if (!text(key, v).empty()) w.add_string(2, text(key, v));
    } else if (key == "type") {
      if (const std::uint32_t t = node_type(v); t != 0) w.add_uint32(3, t);
    } else if (is(key, "ctrlDeps", "ctrl_deps"))
      parents(w, 4, key, v);
    else if (is(key, "dataDeps", "data_deps"))
      parents(w, 5, key, v);
    else if (is(key, "startTimeMicros", "start_time_micros"))
      number(6, key, v);
    else if (is(key, "durationMicros", "duration_micros"))
      number(7, key, v);
    else if (key == "inputs" || key == "outputs")
      io_info(w, key == "inputs" ? 8 : 9, key, v);
    else if (key == "attr")
      for (const Json& a : array(key, v)) attribute(w, 10, a);
    else
      throw ConfigError("unknown key '" + key + "' of a node");
  }
  return frame;
}

std::string metadata_frame(const Json& metadata) {
  if (!metadata.is_object()) refuse("metadata", metadata, "object");
  std::string frame;
  pbf_writer w(frame);
  for (const auto& [key, v] : metadata.items()) {
    if (key == "version")
      w.add_string(1, text(key, v));
    else if (key == "attr")
      for (const Json& a : array(key, v)) attribute(w, 2, a);
    else
      throw ConfigError("unknown key '" + key + "' of the metadata");
  }
  return frame;
}

}  // namespace tutti::workload::convert
