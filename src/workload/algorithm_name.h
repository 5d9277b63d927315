#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tutti::workload {

enum class Algorithm : std::uint8_t { ring, direct, halving_doubling, double_binary_tree, planned };

/// An entry of a list such as all-reduce-implementation: "ring", "direct", "direct4", "halvingDoubling",
/// "doubleBinaryTree"; with "one" in front (oneRing, oneDirect, oneDirect4, oneHalvingDoubling) it runs on one
/// dimension that holds all ranks. "plan:NAME" or "plan:NAME parameter=value ..." is an algorithm of the plan layer,
/// over all ranks of the group.
struct AlgorithmChoice {
  Algorithm kind = Algorithm::ring;
  bool one_dimension = false;
  std::uint32_t window = 0;                        ///< direct: messages under way at once; 0 is all
  std::string planned;                             ///< planned: the algorithm's name
  std::map<std::string, std::int64_t> parameters;  ///< planned: as given
};

/// @return false for a name that is none of these; `why` then says what is known.
bool parse(std::string_view name, AlgorithmChoice& out, std::string& why);
std::string to_string(const AlgorithmChoice& choice);

}  // namespace tutti::workload
