#pragma once

namespace tutti::workload {

/// Where the two semantics differ. Each member is what ASTRA-sim does; docs/semantics.md gives both behaviours and the
/// test of each row (G1 to G46).
struct Rules {
  bool astra = false;                  ///< sizes and times as its arithmetic gives them, whole ns
  bool shared_stream_counter = false;  ///< G3: collectives of groups advance the default group's counter as well
  bool unchecked_collectives = false;  ///< G4: nobody compares what the ranks of a group issue
  bool one_pass_issue = false;         ///< G9: nodes freed while nodes are issued wait for the next completion
  bool four_dimensions = false;        ///< G16: without involved_dim, dimensions 0 to 3 take part
  bool short_lists = false;            ///< G17: dimensions without an algorithm take no part
  bool full_size_remainder = false;    ///< G18, G19: a remainder becomes a full chunk; small sizes are raised
  bool tree_is_all_reduce = false;     ///< G20: doubleBinaryTree does an all-reduce whatever was asked
  bool custom_ignores_size = false;    ///< G21: sizes of custom algorithms are their file's
  bool cached_group_plans = false;     ///< G22: the first plan of a group and kind serves all later collectives
  bool local_ring_delay = false;       ///< G24: rings of small groups cost 10 ns an endpoint step
  bool next_message_reduction =
      false;                    ///< G25: a reduction costs what the next message would, and not every one is charged
  bool loose_json = false;      ///< G26, G27: false is on, unknown keys are ignored
  bool free_reduction = false;  ///< G28: without local-mem-bw a reduction costs nothing
  bool memory_in_comm_slot = false;     ///< G32: memory nodes take the communication slot
  bool arrival_order = false;           ///< G44: each rank starts chunks in its own order of arrival
  bool unscaled_default_delay = false;  ///< G46: injection-scale leaves a default endpoint-delay alone

  static constexpr Rules tutti() { return {}; }
  static constexpr Rules astra_sim() {
    return {true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true};
  }
};

}  // namespace tutti::workload
