#pragma once
#include <vector>

#include "report/record.h"

namespace tutti::report {

/// Where the ends of a network's links are drawn. Hosts only: on a circle in order of rank. With switches: hosts below
/// in a row, each switch as many rows above as it is links away from the nearest host, which shows a fat tree as one.
/// @param hosts  ends named "0" to "hosts - 1" are hosts.
std::vector<PlaceRow> network_places(const std::vector<LinkRow>& links, std::size_t hosts);

}  // namespace tutti::report
