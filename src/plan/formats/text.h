#pragma once
#include <string>
#include <string_view>

#include "plan/schedule.h"

namespace tutti::plan {

/// A schedule as text that people read and write, one step a line, as `describe` says it (docs/algorithms.md has the
/// grammar). Reading what was written gives the same schedule.
///
///     tutti schedule 1
///     algorithm swap
///     collective all_reduce ranks 2 count 1
///     in_place
///     rank 0 scratch 1
///     stream 0
///       send input[0..1) to 1 on channel 0
///       receive scratch[0..1) from 1 on channel 0
///       reduce scratch[0..1) to output[0..1)
///     ...
std::string write_text(const Schedule& schedule);

/// @param name  of the text, in messages.
/// @throws ConfigError  "name:line: error: ..."; the first fault.
Schedule parse_text(std::string_view text, const std::string& name);
Schedule read_text(const std::string& path);

}  // namespace tutti::plan
