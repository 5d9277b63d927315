#pragma once
#include "workload/collective/engine.h"

namespace tutti::workload {

/// Ring and direct exchange (C.7.1, C.7.2 of docs/semantics.md's sources): a stream of equal messages, of which
/// `window` packets are prepared at a time. Ring sends all to the next rank; direct sends the i-th to the i-th next
/// rank.
struct Exchange {
  CollectiveEngine& engine;
  Stream& s;
  void start();
  void step_done();
  void received();

 private:
  void prepare_packet();
  void post_message();
  void finish_if_done();
  std::uint64_t send_bytes() const;
  std::uint64_t receive_bytes() const;
  std::uint64_t block_bytes(std::uint32_t block) const;
  std::uint64_t last_reduced_bytes() const;
};

/// Recursive halving and doubling (Thakur et al. 2005): pairs at distances 1, 2, 4, ...; n is a power of two.
struct HalvingDoubling {
  CollectiveEngine& engine;
  Stream& s;
  void start();
  void step_done();
  void received();

 private:
  void post_message();
  /// Of message k (from 0): partner's position, bytes sent and bytes received.
  struct Message {
    std::uint32_t partner;
    std::uint64_t sent, received;
  };
  Message message(std::uint32_t k) const;
  std::uint32_t halvings() const;
};

/// Two binary trees over the same ranks (Sanders et al. 2009): a leaf of one is an inner node of the other. ASTRA-sim
/// sends a chunk whole over one of them, in turns; otherwise half of the chunk goes over each.
struct DoubleBinaryTree {
  CollectiveEngine& engine;
  Stream& s;
  void start();
  void step_done(std::uint32_t note);
  void received(std::uint32_t note);

 private:
  void build(std::uint32_t t, bool root_is_last);
  void start_tree(std::uint32_t t);
  void go_down(std::uint32_t t);
  std::uint64_t bytes(std::uint32_t t) const;
};

}  // namespace tutti::workload
