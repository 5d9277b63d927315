#pragma once
#include <vector>

#include "ccl/endpoint.h"
#include "plan/schedule.h"
#include "sim/simulation.h"

namespace tutti::ccl {

/// Which port of each rank leads to which peer, for the messages of a schedule. A port serves one peer and one channel
/// of the schedule, in both directions.
struct Wiring {
  struct Line {
    int peer = 0, channel = 0;
    std::size_t back = 0;  ///< port of the peer
    bool sends = false;    ///< a line without sends only receives
  };
  std::vector<std::vector<Line>> ports;  ///< [rank][port]

  Port port(int rank, int peer, int channel) const;
  /// Of any rank.
  std::size_t most_ports() const;
};
/// Goes once through all steps. Ports are numbered in the order in which ranks, streams and steps first use them.
Wiring wire(const plan::Schedule& schedule);

/// Where the buffers of a rank lie. In place: input and output are one memory at `output`, in which each begins at the
/// offset that plan::Collective names; `input` is not used.
struct ScheduleArgs {
  Address input = 0, output = 0, scratch = 0;
  memory::DType dtype = memory::DType::f32;
  memory::ReduceOp op = memory::ReduceOp::sum;
  int rank = 0;
};

/// Runs all streams of a rank of a proven schedule on an endpoint and returns when they have ended. A message longer
/// than a slot goes in pieces. A send that must wait for slots waits beside its stream, until the stream sends at that
/// port again or writes what is still to be sent (plan::Target::sends_overlap). `schedule` and `wiring` must outlive
/// the run.
/// @throws ModelError  a message of another size than the step says; a slot smaller than an element.
sim::Process<> run_schedule(sim::Simulation& simulation, Endpoint& tl, const plan::Schedule& schedule,
                            const Wiring& wiring, ScheduleArgs args);

}  // namespace tutti::ccl
