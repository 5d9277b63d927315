#pragma once
#include <memory>
#include <vector>

#include "workload/runner.h"

namespace tutti::workload {

/// Fills in what a run left undone: receives and bytes that found no partner, ranks that wait and for whom, a circle of
/// waits, sizes that differ; and the status that follows. In ASTRA-sim's semantics a message that nobody received is no
/// fault as long as every rank finished.
void report_leftovers(const std::vector<std::unique_ptr<RankProgram>>& programs, const match::Matcher& matcher,
                      const CollectiveEngine& collectives, bool astra, RunResult& result);

}  // namespace tutti::workload
