#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/registry.h"

namespace tutti::fabric {

/// How many SIPs, and their grid (rows x columns; 0 x 0 if none is given).
struct SipGrid {
  int count = 1;
  int rows = 0, columns = 0;
};

/// How SIPs are joined. A plug-in: one file in fabric/topologies.
struct SipTopology {
  const char* name;
  const char* summary;
  bool needs_grid;  ///< count = rows x columns; a square count without a grid is a square
  /// Pairs of neighbours, lower number first, each once. Empty: one switch joins all.
  std::vector<std::pair<int, int>> (*edges)(const SipGrid&);
  /// Next SIP on the way; a neighbour of `from`. @pre from != to.
  int (*next)(const SipGrid&, int from, int to);
};

const Registry<SipTopology>& sip_topologies();

}  // namespace tutti::fabric
