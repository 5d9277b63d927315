#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::workload {

/// Kinds of node, numbered as in schema 0.0.4. Older numbers are translated by the reader.
enum class NodeType : std::uint8_t {
  invalid,
  metadata,
  mem_load,
  mem_store,
  comp,
  comm_send,
  comm_recv,
  comm_coll,
  unknown = 255
};

/// Kinds of collective, numbered as in schema 0.0.4. Older numbers are translated by the reader.
enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  reduce_scatter,
  reduce_scatter_block,
  barrier,
  unknown = 255
};

/// Schema generations. 0.0.4 and 1.0.0 have one wire format.
enum class Schema : std::uint8_t { v0_0_1, v0_0_2, v0_0_3, v0_0_4, v1_0_0 };

/// Attributes that have a meaning here; bit numbers of the masks in Node.
enum class Attribute : std::uint8_t {
  is_cpu_op,
  num_ops,
  tensor_size,
  comm_type,
  comm_size,
  comm_src,
  comm_dst,
  comm_tag,
  comm_priority,
  pg_name,
  involved_dim,
  msg_chunk_cnt,
  total_chunk_cnt
};

constexpr std::uint16_t bit(Attribute a) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(a)); }

/// One node, without pointers. Its index in Trace::nodes is its position in the file.
/// Values of absent attributes are 0; ask has().
struct Node {
  std::uint64_t id = 0;
  std::uint64_t duration_ns = 0;  ///< 0 if the trace gives none
  std::uint64_t num_ops = 0;      ///< floating-point operations; of a schedule's message: msg_chunk_cnt
  std::uint64_t tensor_size = 0;  ///< bytes; of a schedule's message: total_chunk_cnt
  std::int64_t comm_size = 0;     ///< bytes; negative values stay negative for the checks
  std::int64_t comm_tag = 0;      ///< as written, sign kept
  std::uint64_t name_offset = 0;  ///< into Trace::text
  std::uint64_t first_dep = 0;    ///< into Trace::deps: data parents, then control parents
  std::uint32_t data_deps = 0;    ///< number of data parents
  std::uint32_t ctrl_deps = 0;    ///< number of control parents
  std::uint32_t name_length = 0;
  std::int32_t comm_src = 0;  ///< saturated to 32 bits
  std::int32_t comm_dst = 0;  ///< saturated to 32 bits
  std::uint32_t comm_priority = 0;
  std::uint32_t group = 0;     ///< into Trace::groups; 0 is ""
  std::uint32_t dim_mask = 0;  ///< involved_dim, bit i = dimension i, first 32
  std::uint8_t dim_count = 0;  ///< length of involved_dim, saturated at 255
  NodeType type = NodeType::invalid;
  CollectiveKind collective = CollectiveKind::unknown;
  bool is_cpu_op = false;
  std::uint16_t present = 0;     ///< attributes with a value, of whatever kind
  std::uint16_t wrong_kind = 0;  ///< present, but of a kind that does not convert (text for a number, a list, ...)
  std::uint16_t old_kind = 0;  ///< present in the one wire kind that the old feeder reads; otherwise that feeder sees 0
  std::uint16_t raw_type = 0;  ///< type number as written (saturated), for messages
  std::uint16_t raw_collective = 0;

  bool has(Attribute a) const { return (present & bit(a)) != 0 && (wrong_kind & bit(a)) == 0; }
  bool is_comm() const {
    return type == NodeType::comm_send || type == NodeType::comm_recv || type == NodeType::comm_coll;
  }
};
static_assert(sizeof(Node) <= 112, "ten million nodes are to fit in about a gigabyte");

/// The text of a METADATA node that declares process groups (inputs.values of the PyTorch converter).
struct ProcessGroupText {
  std::uint32_t node = 0;  ///< index
  std::string text;
};

/// The trace of one rank: nodes in file order, edges in one flat array of node indices (compressed sparse rows).
/// Duplicated and self dependencies are kept as written; dangling ones were faults at reading and are not in `deps`.
struct Trace {
  std::string file;
  std::int32_t rank = 0;
  Schema schema = Schema::v0_0_4;
  std::string version;  ///< GlobalMetadata.version, or its attribute "schema"; may be empty
  bool has_metadata = false;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> deps;
  std::vector<std::string> groups{std::string()};
  std::vector<ProcessGroupText> process_groups;
  std::string_view text;  ///< storage of names
  std::shared_ptr<const void> text_owner;

  std::string_view name(const Node& n) const {
    return n.name_length ? text.substr(n.name_offset, n.name_length) : std::string_view();
  }
  const std::string& group(const Node& n) const { return groups[n.group]; }
  std::span<const std::uint32_t> data_deps(const Node& n) const { return {deps.data() + n.first_dep, n.data_deps}; }
  std::span<const std::uint32_t> ctrl_deps(const Node& n) const {
    return {deps.data() + n.first_dep + n.data_deps, n.ctrl_deps};
  }
  /// Data and control parents together; one parent may occur more than once.
  std::span<const std::uint32_t> parents(const Node& n) const {
    return {deps.data() + n.first_dep, std::size_t{n.data_deps} + n.ctrl_deps};
  }
};

std::string_view to_string(NodeType type);
std::string_view to_string(CollectiveKind kind);
std::string_view to_string(Schema schema);
std::string_view to_string(Attribute attribute);
/// @return false for a name that is none of "0.0.1", "0.0.2", "0.0.3", "0.0.4", "1.0.0".
bool parse(std::string_view text, Schema& out);

}  // namespace tutti::workload
