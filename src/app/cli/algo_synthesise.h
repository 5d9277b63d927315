#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::app {

struct SynthesiseArguments {
  std::string_view kind;
  std::string network, write;
  std::int64_t elements = 0;  ///< 0: 4096 for each rank
  int chunks = 1;
  std::uint64_t seed = 1;
};

/// Makes a schedule for a network, proves it, and prints it beside the hand-written algorithms of its kind.
/// @return the exit code.
int synthesise(const SynthesiseArguments& arguments);

}  // namespace tutti::app
