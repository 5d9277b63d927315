#pragma once
#include "workload/convert/proto_json.h"

namespace tutti::workload::convert {

/// A node of STAGE's JSON form ({"nodes": [...]}) as a node of the protobuf mapping, and back.
///
/// node_type "comp_node", "coll_comm_node", "send_comm_node", "recv_comm_node", "mem_load_node", "mem_store_node",
/// "metadata_node", "invalid_node"; comm_type by name ("all_reduce"); comm_group, a number, is pg_name; y_tensor_size
/// is tensor_size. Every other key is an attribute of that name: numbers and texts of their usual kinds, an object like
/// {"uint32Val": 5} of any kind. Keys that are fields of a node in the protobuf mapping keep their name.
/// @throws ConfigError  a type or a value without meaning.
Json from_stage(const Json& node);
Json to_stage(const Json& node);

}  // namespace tutti::workload::convert
