#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/trace_node.h"

namespace tutti::workload {

/// A node to write. Only what is set is written.
struct NodeSpec {
  std::uint64_t id = 0;
  std::string name;
  NodeType type = NodeType::comp;
  std::vector<std::uint64_t> data_deps;
  std::vector<std::uint64_t> ctrl_deps;  ///< schemas from 0.0.4
  std::uint64_t duration_us = 0;         ///< older schemas store nanoseconds
  std::optional<bool> is_cpu_op;
  std::optional<std::uint64_t> num_ops;
  std::optional<std::uint64_t> tensor_size;
  std::optional<CollectiveKind> collective;
  std::optional<std::int64_t> comm_size;
  std::optional<std::int32_t> comm_src;
  std::optional<std::int32_t> comm_dst;
  std::optional<std::int32_t> comm_tag;
  std::optional<std::int32_t> comm_priority;
  std::optional<std::string> pg_name;
  std::optional<std::int32_t> msg_chunk_cnt;  ///< of a schedule's messages
  std::optional<std::int32_t> total_chunk_cnt;
  std::vector<bool> involved_dim;  ///< empty: not written
};

/// Serialises a Chakra trace in memory, frame by frame, with the wire kinds that the old feeder reads. Deterministic.
class TraceWriter {
 public:
  /// Writes the metadata frame that schemas from 0.0.4 have.
  explicit TraceWriter(Schema schema = Schema::v0_0_4, bool metadata = true);
  void add(const NodeSpec& node);
  /// Appends a frame of any bytes.
  void raw_frame(std::string_view bytes);
  const std::string& bytes() const { return bytes_; }
  /// @throws ConfigError naming the file if it cannot be written.
  void save(const std::string& path) const;

 private:
  Schema schema_;
  std::string bytes_;
};

}  // namespace tutti::workload
