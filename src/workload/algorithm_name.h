#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::workload {

enum class Algorithm : std::uint8_t { ring, direct, halving_doubling, double_binary_tree };

/// An entry of a list such as all-reduce-implementation: "ring", "direct", "direct4", "halvingDoubling",
/// "doubleBinaryTree"; with "one" in front (oneRing, oneDirect, oneDirect4, oneHalvingDoubling) it runs on one
/// dimension that holds all ranks.
struct AlgorithmChoice {
  Algorithm kind = Algorithm::ring;
  bool one_dimension = false;
  std::uint32_t window = 0;  ///< direct: messages under way at once; 0 is all
};

/// @return false for a name that is none of these; `why` then says what is known.
bool parse(std::string_view name, AlgorithmChoice& out, std::string& why);
std::string to_string(const AlgorithmChoice& choice);

}  // namespace tutti::workload
