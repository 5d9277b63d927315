#pragma once
#include <cstdint>

#include "workload/collective/plan.h"
#include "workload/messenger.h"
#include "workload/rank_clock.h"

namespace tutti::workload {

struct Call;
class CollectiveEngine;
struct EngineRank;
struct LockstepGather;

/// The chunks that wait for, or run in, one queue of a dimension on one rank.
struct ChunkQueue {
  struct Stream* head = nullptr;  ///< waiting, in order of start
  struct Stream* tail = nullptr;
  std::uint64_t running = 0;
};

/// One chunk of a collective on one rank, and the state of the phase that it is in. Plain data: a million may be alive.
struct Stream {
  Call* call = nullptr;
  EngineRank* rank = nullptr;
  ChunkQueue* queue = nullptr;
  Stream *next = nullptr, *previous = nullptr;  // in the queue while waiting
  Stream *younger = nullptr, *older = nullptr;  // of the same communicator on this rank
  std::uint64_t space = 0, tag = 0;             // of its messages
  std::uint64_t chunk_bytes = 0;                // at the start of the first phase
  std::uint64_t data = 0;                       // at the start of this phase
  std::uint32_t chunk = 0, phase = 0;
  bool started = false;
  bool computed = false;             // by Lockstep: its pending step has no effect
  LockstepGather* gather = nullptr;  // it waits there for the others of its phase

  // The ranks of the phase, and where this one stands among them.
  const std::uint32_t* list = nullptr;  // listed order, or first + position * stride
  std::uint32_t first = 0, stride = 1, n = 0, position = 0;
  std::int32_t direction = 1;  // 1 clockwise, -1 anticlockwise
  Time endpoint;
  Time phase_start;

  // ring, direct: see exchange.cpp. halving-doubling uses to_send and sent. Trees use tree.
  std::uint64_t message = 0;  // bytes of each, where all are equal
  Time reduction;             // of each, where all are equal
  std::uint32_t window = 0, to_send = 0, sent = 0, received = 0, packets = 0, idle = 0, start_left = 0, reduce_left = 0;
  std::uint32_t round = 0, in_round = 0;
  bool reducing_block = false;
  struct Tree {
    bool used = false;
    std::uint32_t parent = UINT32_MAX, child[2] = {UINT32_MAX, UINT32_MAX};
    std::uint32_t missing = 0;  // children whose contribution is not yet reduced
  } tree[2];
  std::uint32_t trees_left = 0;
  std::uint32_t tree_parity = 0;

  std::uint32_t at(std::uint32_t p) const { return list ? list[p] : first + p * stride; }
  /// Position `steps` further in the direction of the phase. @pre steps <= n
  std::uint32_t ahead(std::uint32_t steps) const { return moved(direction > 0 ? steps : n - steps); }
  std::uint32_t behind(std::uint32_t steps) const { return moved(direction > 0 ? n - steps : steps); }

 private:
  std::uint32_t moved(std::uint32_t steps) const {
    const std::uint32_t p = position + steps;
    return p >= n ? p - n : p;
  }
};

/// Blocks of nearly equal size: the first total % n are one byte longer.
struct Blocks {
  std::uint64_t total;
  std::uint32_t n;
  std::uint64_t size(std::uint32_t i) const { return total / n + (i < total % n ? 1 : 0); }
  /// Bytes of the blocks b with b % modulus == residue. @pre modulus divides n
  std::uint64_t sum(std::uint32_t modulus, std::uint32_t residue) const {
    const std::uint64_t longer = total % n;
    return total / n * (n / modulus) + (longer > residue ? (longer - residue + modulus - 1) / modulus : 0);
  }
};

}  // namespace tutti::workload
