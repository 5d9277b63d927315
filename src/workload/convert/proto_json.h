#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tutti::workload::convert {

using Json = nlohmann::ordered_json;

/// Messages of schema 1.0.0 in protobuf's JSON mapping and back: camelCase names, enums by name, 64-bit integers as
/// text, bytes in base64, fields with their default left out. Original field names and numbers are read as well.
/// Every field and every kind of attribute is kept.
/// @throws ConfigError  what has no counterpart: an unknown field, key or kind, a value out of its kind's range.
Json node_to_json(std::string_view frame);
Json metadata_to_json(std::string_view frame);
std::string node_frame(const Json& node);
std::string metadata_frame(const Json& metadata);

/// JSON of an attribute with one value. @param kind  "int64Val", "stringList", ...
Json attribute_json(std::string_view name, const char* kind, Json value);

}  // namespace tutti::workload::convert
