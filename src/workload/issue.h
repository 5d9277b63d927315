#pragma once
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "workload/collective/engine.h"
#include "workload/comm_groups.h"
#include "workload/compute_model.h"
#include "workload/messenger.h"
#include "workload/program_order.h"
#include "workload/rank_clock.h"
#include "workload/recorder.h"
#include "workload/remote_memory.h"
#include "workload/resolver.h"
#include "workload/statistics.h"

namespace tutti::workload {

/// How many nodes of a kind a rank runs at once. Receives need no slot.
struct Slots {
  std::uint32_t cpu = 1, compute = 1, comm = 1, memory = 1;
};

/// What all ranks of a run share.
struct Machine {
  sim::Simulation& simulation;
  const Rules& rules;
  const SystemConfig& system;
  const CommGroups& groups;
  const ComputeModel& compute;
  Messenger& messenger;
  CollectiveEngine& collectives;
  RemoteMemory& memory;
  Slots slots;
  bool ignore_tags = false;  ///< sends and receives meet by order alone
  const RankFactors& compute_scale;
  Recorder* recorder = nullptr;  ///< null: nobody listens
};

/// Runs the trace of one rank: issues nodes whose parents have finished, in ascending order of id, while their slots
/// are free; a node's end frees its slot and its children (section B of the reference's behaviour).
class RankProgram {
 public:
  RankProgram(Machine& machine, const Trace& trace, std::uint32_t rank, RankClock& clock);
  RankProgram(const RankProgram&) = delete;
  RankProgram& operator=(const RankProgram&) = delete;

  /// Issues what can start at time 0. @throws ModelError  names file and node.
  void fire();

  bool finished() const { return finished_; }
  Time finish_time() const { return finish_time_; }
  const TimeAccount& account() const { return account_; }
  const Trace& trace() const { return trace_; }
  std::uint32_t rank() const { return rank_; }

  struct Running {
    std::uint32_t node;  ///< index
    Time since;
  };
  /// Nodes issued and not finished, in order of issue.
  std::vector<Running> running() const;
  std::size_t nodes_done() const { return resolver_.finished(); }

 private:
  enum class Slot : std::uint8_t { none, cpu, compute, comm, memory };
  static constexpr int slot_kinds = 5;
  struct Timer : RankClock::Item {
    Timer(RankProgram& p, std::uint32_t n) : Item(&RankProgram::timer_elapsed), program(&p), node(n) {}
    RankProgram* program;
    std::uint32_t node;
  };

  Slot slot_of(const Node& n) const;
  TimeAccount::Kind kind_of(const Node& n) const;
  void make_ready(std::uint32_t node);
  void issue_ready();
  void issue(std::uint32_t node);
  void dispatch(std::uint32_t node);
  void run_for(std::uint32_t node, Time time);
  /// A compute node's time on this rank. @throws ModelError  longer than simulated time.
  Time scaled(Time time) const;
  void send(std::uint32_t node);
  void receive(std::uint32_t node);
  void collective(std::uint32_t node);
  void release(std::uint32_t node);
  void complete(std::uint32_t node);
  void finish_if_done();
  static void on_done(void* owner, std::uint32_t node) { static_cast<RankProgram*>(owner)->complete(node); }
  static void timer_elapsed(RankClock::Item& item);
  [[noreturn]] void refuse(std::uint32_t node, const std::string& what) const;
  match::Key key(std::uint32_t node, std::uint32_t source, std::uint32_t destination) const;
  std::uint64_t comm_bytes(std::uint32_t node) const;
  /// Rank that a broadcast or scatter (comm_src) comes from, or a reduce or gather (comm_dst) goes to; else the group's
  /// first.
  std::uint32_t root(std::uint32_t node, const CommGroup& group) const;

  Machine& machine_;
  const Trace& trace_;
  std::uint32_t rank_;
  RankClock& clock_;
  Resolver resolver_;
  ProgramOrder order_;  // only for --matching message and order
  TimeAccount account_;
  // Ready nodes by slot, smallest id first: (id, index).
  using Ready = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_[slot_kinds];
  std::vector<std::uint32_t> freed_;
  std::uint32_t free_slots_[slot_kinds];
  std::vector<Time> since_;  // of issue, by node; Time::max() when not running
  Pool<Timer> timers_;
  std::uint32_t running_count_ = 0;
  bool issuing_ = false, finished_ = false;
  Time finish_time_;
};

}  // namespace tutti::workload
