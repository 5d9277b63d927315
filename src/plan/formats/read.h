#pragma once
#include <string>
#include <string_view>

#include "plan/schedule.h"

namespace tutti::plan {

/// Whether a word of the command line names a file of a schedule, not an algorithm.
inline bool names_a_file(std::string_view word) { return word.find_first_of("./\\") != std::string_view::npos; }

/// Reads a schedule in whichever form it is: MSCCL XML or the text form.
/// @throws ConfigError  see read_msccl_xml, parse_text.
Schedule read_schedule(const std::string& path);

/// The same schedule with `factor` elements for each of its own.
/// @throws ConfigError  the parts of ranks differ in size, so that they would be other parts.
Schedule scale(const Schedule& schedule, std::int64_t factor);

}  // namespace tutti::plan
