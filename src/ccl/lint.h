#pragma once
#include <optional>
#include <string>

#include "ccl/ccl_config.h"
#include "ccl/kernel.h"

namespace tutti::ccl {

/// Looks at a kernel before a machine runs it: does it on the mock, with the slots of ccl.yaml and zeros as data. Finds
/// a port without neighbour, a message larger than a slot, sends and receives that do not match in number, and more
/// sends around a cycle of ranks than its slots hold (spec 2.3, static deadlock rule); the last with the smallest
/// n_slots that would do, if there is one up to 1024. A kernel that asks for its place in the machine sees that of the
/// mock.
/// @return what is wrong, with file and line of the calls; nothing if all ranks end.
std::optional<std::string> lint(const Kernel& kernel, const CclConfig& config, KernelArgs args, int ranks);

}  // namespace tutti::ccl
