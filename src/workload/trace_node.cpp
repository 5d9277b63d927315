#include "workload/trace_node.h"

#include <algorithm>
#include <array>

namespace tutti::workload {
namespace {

constexpr std::array<std::string_view, 8> types = {"INVALID", "METADATA",  "MEM_LOAD",  "MEM_STORE",
                                                   "COMP",    "COMM_SEND", "COMM_RECV", "COMM_COLL"};
constexpr std::array<std::string_view, 10> kinds = {
    "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
    "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};
constexpr std::array<std::string_view, 5> schemas = {"0.0.1", "0.0.2", "0.0.3", "0.0.4", "1.0.0"};
constexpr std::array<std::string_view, 13> attributes = {
    "is_cpu_op", "num_ops",       "tensor_size", "comm_type",    "comm_size",     "comm_src",       "comm_dst",
    "comm_tag",  "comm_priority", "pg_name",     "involved_dim", "msg_chunk_cnt", "total_chunk_cnt"};

template <class Names, class Enum>
std::string_view name_of(const Names& names, Enum value) {
  const auto i = static_cast<std::size_t>(value);
  return i < names.size() ? names[i] : std::string_view("unknown");
}

}  // namespace

std::string_view to_string(NodeType type) { return name_of(types, type); }
std::string_view to_string(CollectiveKind kind) { return name_of(kinds, kind); }
std::string_view to_string(Schema schema) { return name_of(schemas, schema); }
std::string_view to_string(Attribute attribute) { return name_of(attributes, attribute); }

bool parse(std::string_view text, Schema& out) {
  const auto it = std::find(schemas.begin(), schemas.end(), text);
  if (it == schemas.end()) return false;
  out = static_cast<Schema>(it - schemas.begin());
  return true;
}

}  // namespace tutti::workload
