#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "workload/check_collectives.h"
#include "workload/check_matching.h"

namespace tutti::workload {

/// Plays all traces without time: a receive ends when its bytes have been sent, a collective when every member of its
/// group has come to it. If nodes are left over that wait for each other in a circle, that circle is listed, whatever
/// the ranks and the network are. Slots are not looked at.
/// @param rendezvous  a send ends only when its bytes have been asked for.
void check_deadlock(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs,
                    const std::vector<std::vector<std::uint32_t>>& order, const MessageKeys& keys,
                    const CollectiveCalls& calls, bool rendezvous, CheckLog& log);

}  // namespace tutti::workload
