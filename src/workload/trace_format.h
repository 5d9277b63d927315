#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "workload/fault.h"
#include "workload/trace_node.h"

namespace tutti::workload {

struct ReadOptions {
  std::optional<Schema> schema;                         ///< told, or detected when empty
  std::size_t max_faults = 1000;                        ///< listed; the rest is counted
  std::uint64_t max_inflated = std::uint64_t{4} << 30;  ///< bytes that a gzip file may inflate to
  std::optional<std::int32_t> expected_ranks;           ///< read_trace_set: more or fewer files are faults
};

struct ReadResult {
  Trace trace;
  Faults faults;
};

/// The traces of all ranks, by rank, and every fault found while reading.
struct TraceSet {
  std::string prefix;
  std::vector<Trace> ranks;
  Faults faults;
};

/// Content of a file, mapped or inflated; `owner` keeps it alive.
struct FileContent {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

/// A file format of traces. One file in formats/ and one line in formats/builtin.def.
class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  virtual std::string_view name() const = 0;
  /// True if `bytes` (whole content, inflated) looks like this format.
  virtual bool detect(std::string_view bytes) const = 0;
  /// Fills nodes, edges and texts. Never throws for bad content: that goes to `faults`.
  virtual void read(const FileContent& content, const ReadOptions& options, Trace& trace, Faults& faults) const = 0;
};

const Registry<const TraceFormat*>& trace_formats();

/// Maps `path`; inflates gzip. A missing, empty or damaged file gives a fault and empty content.
FileContent read_file(const std::string& path, const ReadOptions& options, Faults& faults);

/// Reads one trace; the rank is taken from the name if that ends in ".<rank>.et", else 0.
ReadResult read_trace(const std::string& path, const ReadOptions& options = {});

/// Reads `prefix`.<rank>.et for every rank from 0. Gaps in the numbers, padded numbers, and a number of files that
/// differs from options.expected_ranks are faults.
TraceSet read_trace_set(const std::string& prefix, const ReadOptions& options = {});

}  // namespace tutti::workload
