#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/error.h"
#include "ccl/kernel_library.h"
#include "host/reference.h"
#include "host/run_bounds.h"
#include "host/runtime.h"

namespace tutti::host {

/// Looks at a run from outside; must not change it.
class BenchmarkObserver {
 public:
  /// The group is installed and tensors are written; nothing has run.
  virtual void prepared(Runtime&) = 0;
  /// The run has ended, in whatever way.
  virtual void ended(Runtime&) = 0;

 protected:
  ~BenchmarkObserver() = default;
};

/// What `tutti run` is asked for.
struct BenchmarkSettings {
  std::string topology, ccl;  ///< files; empty: those that come with the program
  ConfigOverlay overlay;      ///< of either file
  /// Runs this instead of an algorithm of ccl.yaml, with as many whole elements for each of its own as fit `bytes`.
  std::optional<plan::Schedule> schedule = {};
  std::function<void(const std::string&)> warn = {};  ///< told, before the run, what is wrong with a kernel
  std::vector<ccl::KernelLibrary> libraries;          ///< that ccl.yaml may name
  int world_size = 0;                                 ///< 0: every PE
  Bytes bytes = Bytes(64 << 10);                      ///< tensor of a rank
  memory::DType dtype = memory::DType::f16;
  memory::ReduceOp op = memory::ReduceOp::sum;
  int root = 0;
  std::uint64_t seed = 0;
  bool verify = true;
  /// Looks for unordered operations on the same bytes; always done of at_recv and shared libraries.
  bool hazards = false;
  bool keep_trace = false;  ///< lines of every send, recv and release
  device::BufferKind tensor_kind = device::BufferKind::tcm;
  BenchmarkObserver* observer = nullptr;
};

/// Where one rank's time went, and what it moved.
struct RankResult {
  std::optional<Time> finish;  ///< none: it never ended
  device::TimeUse time;
  std::uint64_t bytes_sent = 0, bytes_received = 0, messages = 0;
};

struct LinkResult {
  std::string id;
  std::uint64_t bytes;
  Time busy;
};

/// A rank that can never go on.
struct WaitResult {
  int rank;
  std::string pe, what;
  std::optional<int> on;
  Time since;
};

struct BenchmarkResult {
  ExitCode status = ExitCode::ok;
  std::string error;  ///< why status is not ok
  std::string algorithm, collective;
  int ranks = 0;
  std::int64_t elements = 0;
  Bytes bytes;
  memory::DType dtype = memory::DType::f16;
  Time makespan;
  double algbw = 0, busbw = 0;  ///< GB/s, as nccl-tests defines them
  Bounds bounds;
  std::vector<RankResult> rank;
  std::vector<LinkResult> links;  ///< those that carried anything
  std::vector<WaitResult> waits;
  std::vector<std::string> cycle;  ///< each waits for the next, the last for the first; may be empty
  bool verified = false;           ///< all three passes were done and agreed
  std::optional<Verification> reference;
  bool replay_identical = false;
  std::uint64_t events = 0, operations = 0;
  std::string trace;     ///< "rank 3 recv W 512 B at 12.5 ns", in order of time
  std::string pointers;  ///< of every queue pair, after the run
  std::vector<Setting> inputs;
};

/// Runs the algorithm of ccl.yaml on every rank of a machine, on seeded random data, and checks it: the bytes of the
/// run against a replay of its operations, and the result against a reference.
/// @throws ConfigError  a file, an option or a combination that cannot be; what happens in the run is in `status`.
BenchmarkResult run_benchmark(const BenchmarkSettings& settings);

}  // namespace tutti::host
