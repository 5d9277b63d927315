#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/trace_node.h"

namespace tutti::workload::chakra {

/// Splits a file into frames: an unsigned varint of at most 5 bytes, then so many bytes.
class Frames {
 public:
  explicit Frames(std::string_view bytes) : bytes_(bytes) {}
  /// @return false at the end, or at damage: then why() is not empty and offset() is the place of the bad frame.
  bool next(std::string_view& frame);
  /// Start of the frame that next() gave or refused, bytes from the start of the file.
  std::uint64_t offset() const { return start_; }
  const std::string& why() const { return why_; }

 private:
  std::string_view bytes_;
  std::uint64_t at_ = 0;
  std::uint64_t start_ = 0;
  std::string why_;
};

struct Detected {
  Schema schema = Schema::v0_0_4;
  bool has_metadata = false;
  std::string version;
};

/// Looks at the first frames. Empty if the first frame is no message at all.
std::optional<Detected> detect_schema(std::string_view bytes);

/// Translates the numbers that a generation writes.
NodeType node_type(Schema schema, std::uint64_t raw);
CollectiveKind collective_kind(Schema schema, std::int64_t raw);

}  // namespace tutti::workload::chakra
