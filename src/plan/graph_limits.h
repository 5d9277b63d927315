#pragma once
#include <string>
#include <vector>

#include "base/units.h"

namespace tutti::plan {

/// A split of the ranks and the most that the machine can carry across it.
struct Cut {
  std::string name;         ///< "sip0"
  std::vector<int> inside;  ///< ranks, ascending
  Bandwidth out, in;        ///< of all ways from inside to outside together, and back
};

/// What a machine's graph allows between ranks, whatever the algorithm; fabric/limits.h computes it.
struct GraphLimits {
  int ranks = 1;
  Time cheapest;                   ///< least time of a message of no bytes between two ranks
  Time farthest;                   ///< such a time of two ranks that lie far apart: at most the diameter
  std::vector<Bandwidth> out, in;  ///< of each rank's ports together
  std::vector<Cut> cuts;
  int fewest_links = 1;  ///< links between the two nearest ranks
  Bandwidth all_links;   ///< capacity of all links that traffic between ranks can use, together
};

}  // namespace tutti::plan
