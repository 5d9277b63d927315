#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "match/matcher.h"
#include "net/backend.h"
#include "workload/issue.h"

namespace tutti::workload {

/// What `tutti trace` is told.
struct RunSettings {
  std::string workload;       ///< prefix: PREFIX.<rank>.et
  std::string network;        ///< analytical network.yml
  std::string system;         ///< empty: defaults
  std::string remote_memory;  ///< empty: none
  std::string comm_group;     ///< empty: only the default group
  std::string backend = "aware";
  std::uint32_t queues_per_dimension = 1;
  double injection_scale = 1;
  bool rendezvous = false;
  bool astra = false;  ///< --semantics astra
  match::Policy matching = match::Policy::stream;
  Bytes mtu = Bytes(4096);
  Slots slots;
  bool shortcuts = true;  ///< compute what is provably the same without an event a message
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
  enum class Status : std::uint8_t { completed, incomplete, mismatch } status = Status::completed;
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
