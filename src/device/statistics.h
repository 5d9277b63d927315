#pragma once
#include <cstdint>

#include "base/units.h"

namespace tutti::device {

/// Where a PE's kernel spent its time. The wait for a message is split by that message: its serialization on the
/// narrowest link, the latency of its path, and what is left: the peer had not sent yet.
struct TimeUse {
  Time issue;          ///< commands, dispatch, IPCQ pipeline
  Time credit;         ///< no free slot at the peer
  Time credit_emit;    ///< release waited for its credit to arrive (credit.wait: blocking)
  Time serialization;  ///< waiting for data: its bytes on the narrowest link
  Time latency;        ///< waiting for data: head latency and slot write
  Time peer;           ///< waiting for data: not yet sent
  Time reduction;      ///< MATH
  Time compute;        ///< waiting for a composite
  Time memory;         ///< copies, loads, stores, reads of slots outside of TCM
  Time barrier;
  Time data() const { return serialization + latency + peer; }
  Time total() const {
    return issue + credit + credit_emit + serialization + latency + peer + reduction + compute + memory + barrier;
  }
};

/// One queue pair's sending half.
struct QueuePairUse {
  std::uint64_t messages = 0, bytes = 0;  ///< sent
  std::uint64_t received = 0, bytes_received = 0;
  std::uint64_t credits = 0, acknowledgements = 0;  ///< sent back: alone, in messages
  std::uint64_t stalls = 0;                         ///< sends that found no free slot
  Time stalled;
  std::uint64_t max_in_use = 0;        ///< slots taken at the peer, not yet credited
  __extension__ __int128 slot_ps = 0;  ///< integral of slots in use over time: mean occupancy = slot_ps / ps
  Time last_change;
  void occupancy(std::uint64_t in_use_before, std::uint64_t in_use_after, Time now) {
    slot_ps += static_cast<__int128>(in_use_before) * (now - last_change).ps();
    last_change = now;
    if (in_use_after > max_in_use) max_in_use = in_use_after;
  }
};

}  // namespace tutti::device
