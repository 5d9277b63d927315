#pragma once
#include "workload/convert/proto_json.h"
#include "workload/trace_node.h"

namespace tutti::workload::convert {

/// A node of schema 0.0.1, 0.0.2 or 0.0.3 as one of 1.0.0 in the protobuf mapping. Types and collectives are
/// renumbered; run times in ns become duration_micros, rounded up, and stay as the attribute "runtime"; the fields of
/// 0.0.1 become attributes of their names.
/// @throws ConfigError  an unknown field; a type or collective without a counterpart.
Json from_old(Schema schema, std::string_view frame);

}  // namespace tutti::workload::convert
