#pragma once
#include <string>
#include <vector>

#include "report/record.h"

namespace tutti::report {

/// Walks from the end of the last rank back to time 0: on a rank from what it did to what it did before, and across a
/// message to its sender where the rank waited for that message, or to its receiver where it waited for a slot. Steps
/// touch: each begins where the next one ends, so their lengths add up to the makespan.
/// Kinds: "kernel" (commands, queues, waiting for nothing that moved), "latency", "serialization", "congestion" (what a
/// message took beyond both), "queue" (posted, not yet sent), "network" (of messages whose parts are not known),
/// "credit", and activities.
/// @return empty if the record holds a sample only, or the run did not end.
std::vector<PathRow> critical_path(const Record& record);

struct PathShare {
  std::string kind;
  Time time;
};
/// Time of the path by kind, the largest first.
std::vector<PathShare> shares(const std::vector<PathRow>& path);

}  // namespace tutti::report
