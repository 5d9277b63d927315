#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "match/matcher.h"
#include "net/backend.h"
#include "workload/issue.h"

namespace tutti::workload {

/// How far a run is.
class RunProgress {
 public:
  RunProgress(const sim::Simulation& simulation, const std::vector<std::unique_ptr<RankProgram>>& programs)
      : simulation_(simulation), programs_(programs) {}
  Time now() const { return simulation_.now(); }
  std::uint64_t events() const { return simulation_.events(); }
  /// Of all ranks together. O(ranks).
  std::size_t nodes_done() const;
  std::size_t nodes() const;
  /// "rank 3 node 17 'recv', since 12.5 ns": the node issued first of those not finished; "" if there is none.
  /// O(nodes).
  std::string oldest() const;

 private:
  const sim::Simulation& simulation_;
  const std::vector<std::unique_ptr<RankProgram>>& programs_;
};

/// What `tutti trace` is told.
struct RunSettings {
  std::string workload;          ///< prefix: PREFIX.<rank>.et
  std::string network;           ///< analytical network.yml, or what the backend reads
  std::string logical_topology;  ///< empty: the network says it, or one dimension
  std::string system;            ///< empty: defaults
  std::string remote_memory;     ///< empty: none
  std::string comm_group;        ///< empty: only the default group
  std::string backend = "aware";
  std::uint32_t queues_per_dimension = 1;
  double injection_scale = 1;
  bool rendezvous = false;
  bool astra = false;  ///< --semantics astra
  match::Policy matching = match::Policy::stream;
  bool ignore_tags = false;  ///< --matching order; with Policy::message
  Bytes mtu = Bytes(4096);
  Slots slots;
  RankFactors compute_scale;
  /// Asked every 65,536 events; false ends the run at once, and the result is partial.
  std::function<bool(const RunProgress&)> watch;
  Recorder* recorder = nullptr;  ///< told of every node and message
  bool shortcuts = true;         ///< compute what is provably the same without an event a message
};

/// What is left over, or does not fit.
struct Unmatched {
  std::string kind;  ///< "receive", "send" or "bytes"
  std::uint32_t rank = 0;
  std::optional<std::uint64_t> node;
  std::string name;
  std::uint64_t tag = 0;
  std::uint32_t source = 0, destination = 0;
  std::uint64_t bytes_expected = 0, bytes_arrived = 0;
  std::string hint;
};

/// A rank that cannot go on.
struct Wait {
  std::uint32_t rank = 0;
  std::string what;
  std::optional<std::uint32_t> on;  ///< rank
  Time since;
};

struct RankResult {
  std::optional<Time> finish;
  TimeAccount::Totals time;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::size_t nodes = 0, nodes_done = 0;
};

struct RunResult {
  enum class Status : std::uint8_t { completed, incomplete, mismatch, interrupted } status = Status::completed;
  Time makespan;
  std::vector<RankResult> ranks;
  std::vector<Unmatched> unmatched;
  std::vector<Wait> waits;
  std::vector<std::string> cycle;        ///< ranks that wait for each other in a circle
  std::vector<std::string> size_errors;  ///< --matching message
  std::vector<net::LinkStatistics> links;
  std::vector<std::string> warnings;
  std::uint64_t events = 0, messages = 0;
};

/// Reads the inputs, runs them to the end and says what happened.
/// @throws ConfigError, ModelError  the inputs cannot be run; names file and place.
RunResult run_traces(const RunSettings& settings);

}  // namespace tutti::workload
