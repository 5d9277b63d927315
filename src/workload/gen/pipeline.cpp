#include "workload/gen/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tutti::workload::gen {

std::string_view to_string(Schedule schedule) {
  switch (schedule) {
    case Schedule::gpipe:
      return "gpipe";
    case Schedule::one_f_one_b:
      return "1f1b";
    case Schedule::interleaved:
      return "interleaved";
  }
  return "unknown";
}

Schedule parse_schedule(std::string_view text) {
  for (const Schedule s : {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved})
    if (text == to_string(s)) return s;
  throw ConfigError(fmt::format("error: unknown schedule '{}'; known: gpipe, 1f1b, interleaved", text));
}

void Pipeline::check() const {
  if (stages == 0 || microbatches == 0 || chunks == 0)
    throw ConfigError("error: at least one stage, one microbatch and one chunk are needed");
  if (chunks > 1 && schedule != Schedule::interleaved)
    throw ConfigError("error: several chunks a stage need the interleaved schedule");
  if (chunks > 1 && stages == 1) throw ConfigError("error: one stage has one chunk");
  if (std::uint64_t{microbatches} * chunks > (1U << 24)) throw ConfigError("error: more than 16777216 passes a stage");
  if (schedule == Schedule::interleaved && microbatches % stages != 0)
    throw ConfigError(fmt::format("error: the interleaved schedule needs a multiple of {} microbatches, not {}", stages,
                                  microbatches));
}

namespace {

/// The k-th forward pass of a stage: groups of `stages` microbatches go through chunk after chunk.
Pass forward_pass(const Pipeline& p, std::uint32_t k) {
  if (p.schedule != Schedule::interleaved) return {false, k, 0};
  const std::uint32_t group = k / p.virtual_stages(), in_group = k % p.virtual_stages();
  return {false, group * p.stages + in_group % p.stages, in_group / p.stages};
}

Pass backward_pass(const Pipeline& p, std::uint32_t k) {
  Pass pass = forward_pass(p, k);
  return {true, pass.microbatch, p.chunks - 1 - pass.chunk};
}

}  // namespace

std::vector<Pass> passes(const Pipeline& p, std::uint32_t stage) {
  const std::uint32_t all = p.microbatches * p.chunks;
  std::uint32_t ahead = all;  // forward passes before the first backward pass, less the one of the steady state
  if (p.schedule == Schedule::one_f_one_b) ahead = p.stages - stage - 1;
  if (p.schedule == Schedule::interleaved && p.microbatches != p.stages)
    ahead = p.chunks == 1 ? p.stages - stage - 1 : 2 * (p.stages - stage - 1) + (p.chunks - 1) * p.stages;
  ahead = std::min(ahead, all);
  std::vector<Pass> order;
  for (std::uint32_t k = 0; k < ahead; ++k) order.push_back(forward_pass(p, k));
  for (std::uint32_t k = ahead; k < all; ++k) {
    order.push_back(forward_pass(p, k));
    order.push_back(backward_pass(p, k - ahead));
  }
  for (std::uint32_t k = all - ahead; k < all; ++k) order.push_back(backward_pass(p, k));
  return order;
}

}  // namespace tutti::workload::gen
