#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::workload::gen {

/// Orders of forward and backward passes of a pipeline.
enum class Schedule : std::uint8_t {
  gpipe,        ///< all forward passes, then all backward passes (Huang et al. 2019)
  one_f_one_b,  ///< warm-up, one forward and one backward in turn, drain (Narayanan et al. 2021, figure 4 top)
  interleaved   ///< the same with several chunks of layers a stage (Narayanan et al. 2021, figure 4 bottom)
};
std::string_view to_string(Schedule schedule);
/// @throws ConfigError  none of "gpipe", "1f1b", "interleaved".
Schedule parse_schedule(std::string_view text);

struct Pipeline {
  Schedule schedule = Schedule::one_f_one_b;
  std::uint32_t stages = 1;
  std::uint32_t microbatches = 1;
  std::uint32_t chunks = 1;  ///< of layers on each stage; more than 1 only if interleaved

  /// Chunk c of stage p is virtual stage c * stages + p of all.
  std::uint32_t virtual_stages() const { return stages * chunks; }
  /// @throws ConfigError  numbers that the schedule does not allow.
  void check() const;
};

/// One pass of one microbatch through one chunk.
struct Pass {
  bool backward = false;
  std::uint32_t microbatch = 0, chunk = 0;
};

/// What `stage` computes, in order: microbatches * chunks forward and as many backward passes.
std::vector<Pass> passes(const Pipeline& pipeline, std::uint32_t stage);

}  // namespace tutti::workload::gen
