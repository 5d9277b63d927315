#pragma once
#include <optional>
#include <string>

#include "workload/trace_node.h"

namespace tutti::workload::convert {

/// Forms of a trace: binary frames of schema 1.0.0; protobuf's JSON mapping, an object a line, the metadata first; the
/// JSON of STAGE.
enum class Form : std::uint8_t { et, json, stage };

struct Settings {
  Form to = Form::et;
  std::optional<Schema> schema;  ///< of a binary input; detected when empty
};

struct Result {
  std::uint64_t nodes = 0;
  std::string read_as;  ///< "chakra 0.0.3", "json", "stage"
};

/// Converts one trace, a node at a time: memory does not grow with the file. Binary input of any schema, gzip or not;
/// concatenated objects of protobuf's JSON mapping with or without anything between them; {"nodes": [...]} of STAGE.
/// The output appears under its name only when it is whole.
/// @throws ConfigError  names the file, the byte and the node.
Result convert_file(const std::string& from, const std::string& to, const Settings& settings);

}  // namespace tutti::workload::convert
