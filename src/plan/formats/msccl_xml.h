#pragma once
#include <string>

#include "plan/schedule.h"

namespace tutti::plan {

/// Reads an MSCCL algorithm: thread blocks become streams, chunks become elements, and steps that do several things
/// (rcs, rrc, rrs, rrcs) become several steps. Step numbers in a proof are those of the expanded streams.
/// collectives: allreduce, allgather, reduce_scatter, alltoall, broadcast, custom (read as all_to_next).
/// @throws ConfigError  "file:line: error: ..." for what is no XML, and for attributes that are missing or impossible.
/// Source: https://github.com/microsoft/msccl-tools (the files that its compiler writes).
Schedule read_msccl_xml(const std::string& path);

/// The schedule as an MSCCL algorithm: a thread block for each stream, peer, channel and direction; the order of a
/// stream becomes dependencies. Reading it gives a schedule of the same messages.
/// @throws ConfigError  what MSCCL has no words for: other collectives, roots other than 0, signals.
std::string write_msccl_xml(const Schedule& schedule);

}  // namespace tutti::plan
