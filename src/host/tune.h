#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "host/benchmark.h"

namespace tutti::host {

/// What `tutti tune` searches. A choice is a value of each dimension, by its index.
struct TuneSpace {
  struct Dimension {
    std::string path;  ///< in ccl.yaml: "defaults.n_slots"
    std::vector<std::string> values;
    std::size_t standard = 0;  ///< index of the value that is there without tuning
  };
  std::vector<Dimension> dimensions;
};
/// Algorithms of the collective (kernels and planned ones), n_slots, slot_size, vc_chunk_size, credit mode
/// and wait, and buffer_kind.
TuneSpace tune_space(std::string_view collective);

struct TuneSettings {
  BenchmarkSettings base;  ///< machine, type, ranks; without what the space sets
  TuneSpace space;
  std::vector<Bytes> sizes;
  std::uint64_t seed = 1;
  int rounds = 2;  ///< through all dimensions
};

/// What a run took; a choice that cannot be (slots that do not fit, an algorithm that does not) has no time.
struct Trial {
  std::optional<Time> time;
  std::string binding;  ///< bound
  Time bound;
};
using Choice = std::vector<std::size_t>;
/// "65536 defaults.algorithm=ring_allreduce defaults.n_slots=8 ...": what a trial is remembered by.
std::string trial_key(const TuneSpace& space, const Choice& choice, Bytes size);

struct Tuned {
  Bytes size;
  Choice choice;
  Trial standard, best;
  /// The change of one value away from the winner back to the standard that costs most, in words.
  std::string why;
};

/// For each size: from the standard choice on, one dimension after the other takes its best value, in an order drawn
/// from the seed, until a round changes nothing. Trials that `known` has are not run again; `done` is called after each
/// new one, so that a search can be interrupted and taken up. Same seed, same result.
/// @throws ConfigError  no choice can run.
std::vector<Tuned> tune(const TuneSettings& settings, std::map<std::string, Trial>& known,
                        const std::function<void(const std::string& key, const Trial& trial)>& done);

/// ccl.yaml with an entry for each size and the winner of the largest as the default.
std::string tuned_yaml(const TuneSpace& space, const std::vector<Tuned>& tuned);

}  // namespace tutti::host
