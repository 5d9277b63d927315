#pragma once
#include <string_view>

#include "workload/trace_builder.h"

namespace tutti::workload::chakra {

/// Parses a node of schema 0.0.4 or 1.0.0 as writers write it: fields and attributes that are known here, one value an
/// attribute, no METADATA. Attributes without a meaning are skipped by their length.
/// @param text  start of the file's content, for the offset of the name
/// @return false for anything else, damage included: the frame is then to be parsed in full, from a new Node and
/// without the parents given to `builder`.
bool fast_node(std::string_view frame, const char* text, Node& node, TraceBuilder& builder);

}  // namespace tutti::workload::chakra
