#include "workload/convert/stage_json.h"

#include <array>
#include <charconv>
#include <cstdint>

#include "base/error.h"

namespace tutti::workload::convert {
namespace {

constexpr std::array types = {"invalid", "metadata",  "mem_load",  "mem_store",
                              "comp",    "send_comm", "recv_comm", "coll_comm"};
constexpr std::array proto_types = {"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                    "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
constexpr std::array collectives = {
    "all_reduce", "reduce",         "all_gather",           "gather", "scatter", "broadcast",
    "all_to_all", "reduce_scatter", "reduce_scatter_block", "barrier"};

/// The kind in which writers give an attribute; nullptr if only the value's own type tells.
const char* usual_kind(const std::string& name) {
  if (name == "num_ops" || name == "comm_size" || name == "comm_type") return "int64Val";
  if (name == "tensor_size") return "uint64Val";
  if (name == "comm_src" || name == "comm_dst" || name == "comm_tag" || name == "comm_priority") return "int32Val";
  return nullptr;
}

const char* kind_of(const std::string& name, const Json& v) {
  if (v.is_string()) return "stringVal";
  if (v.is_boolean()) return "boolVal";
  if (v.is_number_float()) return "doubleVal";
  if (v.is_number()) return usual_kind(name) ? usual_kind(name) : "int64Val";
  if (!v.is_array() || v.empty()) return nullptr;
  const Json& first = v.front();
  for (const Json& one : v)
    if (one.type() != first.type() && !(one.is_number() && first.is_number())) return nullptr;
  if (first.is_string()) return "stringList";
  if (first.is_boolean()) return "boolList";
  if (!first.is_number()) return nullptr;
  for (const Json& one : v)
    if (one.is_number_float()) return "doubleList";
  return "int64List";
}

std::uint32_t type_of(const Json& v) {
  std::string name = v.is_string() ? v.get<std::string>() : "";
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.ends_with("_node")) name.resize(name.size() - 5);
  if (name == "comm_send" || name == "send") name = "send_comm";
  if (name == "comm_recv" || name == "recv") name = "recv_comm";
  if (name == "comm_coll" || name == "coll") name = "coll_comm";
  for (std::uint32_t i = 0; i < types.size(); ++i)
    if (name == types[i]) return i;
  throw ConfigError("node_type: " + v.dump() + " is no type of node");
}

std::int64_t collective_of(const Json& v) {
  if (v.is_number_integer()) return v.get<std::int64_t>();
  std::string name = v.is_string() ? v.get<std::string>() : "", plain;
  for (const char c : name) {
    if (c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    std::string known;
    for (const char* c = collectives[i]; *c; ++c)
      if (*c != '_') known += *c;
    if (plain == known) return static_cast<std::int64_t>(i);
  }
  throw ConfigError("comm_type: " + v.dump() + " is no collective");
}

bool whole(const std::string& text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && std::to_string(out) == text;
}

/// True for a value that reads back as this kind when it stands alone.
bool plain(const std::string& name, const std::string& kind, const Json& value, Json& out) {
  out = value;
  if (kind.ends_with("List")) {
    out = value.value("values", Json::array());
    std::int64_t n = 0;
    if (kind == "int64List")
      for (Json& one : out) {
        if (!whole(one.get<std::string>(), n)) return false;
        one = n;
      }
    if (kind == "doubleList")
      for (const Json& one : out)
        if (!one.is_number_float()) return false;
  } else if (kind == "int64Val" || kind == "uint64Val") {
    std::int64_t n = 0;
    if (!whole(value.get<std::string>(), n)) return false;
    out = n;
  } else if (kind == "doubleVal" && !value.is_number_float()) {
    return false;
  }
  const char* const read_as = kind_of(name, out);
  return read_as && kind == read_as;
}

bool own_key(const std::string& key) {
  for (const char* k : {"id", "name", "node_type", "data_deps", "ctrl_deps", "startTimeMicros", "durationMicros",
                        "inputs_info", "outputs_info", "y_tensor_size", "comm_group", "attr"})
    if (key == k) return true;
  return false;
}

}  // namespace

Json from_stage(const Json& node) {
  if (!node.is_object()) throw ConfigError("a node that is no object");
  Json out = Json::object(), attributes = Json::array();
  for (const char* key : {"id", "name"})
    if (const auto it = node.find(key); it != node.end()) out[key] = *it;
  if (const auto it = node.find("node_type"); it != node.end()) {
    if (const std::uint32_t t = type_of(*it); t != 0) out["type"] = proto_types[t];
  } else {
    throw ConfigError("a node without node_type");
  }
  for (const auto& [key, to] : {std::pair("ctrl_deps", "ctrlDeps"), std::pair("data_deps", "dataDeps")})
    if (const auto it = node.find(key); it != node.end() && !it->empty()) out[to] = *it;
  for (const auto& [key, to] :
       {std::pair("startTimeMicros", "startTimeMicros"), std::pair("durationMicros", "durationMicros"),
        std::pair("inputs_info", "inputs"), std::pair("outputs_info", "outputs")})
    if (const auto it = node.find(key); it != node.end()) out[to] = *it;
  for (const auto& [key, v] : node.items()) {
    if (key == "comm_group" && v.is_number_integer()) {
      attributes.push_back(attribute_json("pg_name", "stringVal", std::to_string(v.get<std::int64_t>())));
    } else if (key == "y_tensor_size" && v.is_number_integer()) {
      attributes.push_back(attribute_json("tensor_size", "uint64Val", v));
    } else if (key == "attr" && v.is_array()) {
      for (const Json& a : v) attributes.push_back(a);
    } else if (own_key(key) || v.is_null()) {
      continue;
    } else if (key == "comm_type" && !v.is_object()) {
      attributes.push_back(attribute_json(key, "int64Val", collective_of(v)));
    } else if (v.is_object() && v.size() == 1) {
      attributes.push_back(attribute_json(key, v.begin().key().c_str(), v.front()));
    } else if (v.is_array() && v.empty()) {
      attributes.push_back(attribute_json(key, "stringList", Json::object()));
    } else if (const char* kind = kind_of(key, v)) {
      attributes.push_back(attribute_json(key, kind, v.is_array() ? Json{{"values", v}} : v));
    } else {
      throw ConfigError(key + ": " + v.dump() + " is of no kind of attribute");
    }
  }
  if (!attributes.empty()) out["attr"] = std::move(attributes);
  return out;
}

Json to_stage(const Json& node) {
  Json out = {{"id", 0}};
  std::uint32_t type = 0;
  for (const auto& [key, v] : node.items()) {
    if (key == "id") {
      out["id"] = std::stoull(v.get<std::string>());
    } else if (key == "type") {
      if (!v.is_string()) throw ConfigError("type " + v.dump() + " is no type of node");
      while (type < proto_types.size() && v != proto_types[type]) ++type;
    } else if (key == "ctrlDeps" || key == "dataDeps") {
      Json& to = out[key == "ctrlDeps" ? "ctrl_deps" : "data_deps"] = Json::array();
      for (const Json& one : v) to.push_back(std::stoull(one.get<std::string>()));
    } else if (key == "inputs" || key == "outputs") {
      out[key + "_info"] = v;
    } else if (key != "attr") {
      out[key] = v;
    }
  }
  out["node_type"] = std::string(types[type]) + "_node";
  const auto attributes = node.find("attr");
  if (attributes == node.end()) return out;
  bool listed = false;  // from the first that cannot be a key on, so that their order stays
  for (const Json& a : *attributes) {
    const std::string name = a.value("name", "");
    const char* kind = nullptr;
    for (const auto& [key, value] : a.items())
      if (key != "name" && key != "docString") kind = key.c_str();
    Json value;
    std::int64_t number = 0;
    // An attribute whose name is taken, or that has a text besides its value, stands as it is.
    listed = listed || !kind || name.empty() || own_key(name) || out.contains(name) || a.contains("docString");
    if (listed)
      out["attr"].push_back(a);
    else if (name == "comm_type" && std::string_view(kind) == "int64Val" && whole(a[kind].get<std::string>(), number) &&
             number >= 0 && static_cast<std::size_t>(number) < collectives.size())
      out[name] = collectives[static_cast<std::size_t>(number)];
    else if (name != "comm_type" && plain(name, kind, a[kind], value))
      out[name] = std::move(value);
    else
      out[name] = {{kind, a[kind]}};
  }
  return out;
}

}  // namespace tutti::workload::convert
