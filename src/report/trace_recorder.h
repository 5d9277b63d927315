#pragma once
#include "report/names.h"
#include "report/record.h"
#include "workload/runner.h"

namespace tutti::report {

/// Listens to a run of traces and makes a Record of it. Times of the run are the same with and without it.
class TraceRecorder final : public workload::Recorder {
 public:
  /// @param most_rows  of slices and of messages, each.
  explicit TraceRecorder(std::size_t most_rows = 250'000);

  void node(std::uint32_t rank, const workload::Trace& trace, std::uint32_t index, Time begin, Time end) override;
  void message(std::uint32_t source, std::uint32_t destination, std::uint64_t tag, std::uint64_t bytes, Time posted,
               Time delivered) override;

  /// What was seen, and what `result` says. Call once.
  Record take(const workload::RunResult& result, const std::string& workload, double wall_s);

 private:
  Record record_;
  Names names_;
};

}  // namespace tutti::report
