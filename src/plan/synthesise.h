#pragma once
#include "plan/network.h"

namespace tutti::plan {

struct Synthesis {
  std::uint64_t seed = 1;
  int chunks = 1;  ///< that the part of a rank is cut into
};

/// A schedule of `collective` made for `network`: in the order of time, each link that falls idle takes a chunk that
/// its near end has, and that its far end neither has nor is being sent: one of those that fewest ranks have, the
/// first after a random place. A reduce_scatter is the all_gather of the reversed network, run backwards; an all_reduce
/// is both. Every message goes over one link. Same seed, same schedule.
/// Source: W. Won, M. Elavazhagan, S. Srinivasan, A. Durg, S. Gupta, T. Krishna, "TACOS: Topology-Aware Collective
/// Algorithm Synthesizer for Distributed Machine Learning", MICRO 2024 (time-expanded greedy matching).
/// @throws ConfigError  another kind than all_gather, reduce_scatter, all_reduce; a network that is not connected.
Schedule synthesise(const Collective& collective, const Network& network, Bytes element,
                    const Synthesis& settings = {});

/// No schedule of single hops is faster: all chunks that a rank must get come over its own links, one after the other.
Time synthesis_bound(const Collective& collective, const Network& network, Bytes element, int chunks);

}  // namespace tutti::plan
