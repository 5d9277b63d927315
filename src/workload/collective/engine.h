#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "workload/collective/stream.h"

namespace tutti::workload {

class CustomCollectives;
class PlannedCollectives;
class Lockstep;
class CollectiveEngine;

/// A collective that a rank starts.
struct CollectiveRequest {
  PlanRequest plan;
  std::uint64_t bytes = 0;     ///< as the trace gives it: all-gather, gather the rank's own part, else the full input
  std::uint32_t root = 0;      ///< rank; broadcast, reduce, gather, scatter
  std::uint64_t node = 0;      ///< trace node id
  std::uint64_t priority = 0;  ///< scheduling-policy EXPLICIT
  std::string custom;          ///< path prefix of a Chakra algorithm; empty: a built-in one
  const std::uint32_t* running = nullptr;  ///< how many nodes the rank runs, this one included; empty: unknown
  Completion done;
};

/// A collective under way on one rank.
struct Call {
  CollectiveRequest request;
  std::shared_ptr<const Plan> plan;
  std::uint64_t number = 0;    ///< of issue, over all ranks
  std::uint64_t sequence = 0;  ///< in its group on this rank
  std::uint64_t priority = 0;
  std::uint64_t chunks = 0, finished = 0;
  std::uint32_t rank = 0;
  Time since;
  /// By phase: the turns at which chunk 0 takes its queue and its tree; chunk c is that many further.
  std::vector<std::uint32_t> queue_turn, tree_turn, tree_turns_a_chunk;
};

/// Queues of one rank, all communicators together (ASTRA-sim) or for one communicator.
struct QueueSet {
  std::vector<ChunkQueue> queues;  // dimension * queues per dimension + index
  struct Turns {
    std::uint32_t all = 0, first_half = 0, second_half = 0;
  };
  std::vector<Turns> turns;                       // by dimension
  Stream *oldest = nullptr, *youngest = nullptr;  // unfinished chunks in the agreed order
};

/// The system layer of one rank.
struct EngineRank {
  CollectiveEngine* engine = nullptr;
  std::uint32_t rank = 0;
  RankClock* clock = nullptr;
  std::map<std::uint64_t, std::uint64_t> counters;  // next stream (ASTRA-sim) or collective of a group, by group id
  std::map<std::uint64_t, QueueSet> queues;         // by group id; 0 only where all share
  std::map<std::pair<int, std::uint32_t>, std::uint32_t> tree_turns;  // (kind of collective, dimension)
  std::map<std::pair<std::uint64_t, int>, std::pair<std::shared_ptr<const Plan>, std::string>> cached;  // G22
  std::uint64_t lifo = 0, fifo = 1ULL << 62;
  std::uint32_t running_streams = 0;
};

/// Runs collectives: cuts them into chunks, takes each chunk through the queues of its phases, and exchanges messages
/// as the phase's algorithm says. One engine for all ranks; a chunk costs memory while it is alive, a message none.
class CollectiveEngine {
 public:
  CollectiveEngine(sim::Simulation& simulation, Messenger& messenger, const SystemConfig& system, const Rules& rules,
                   std::vector<std::uint32_t> sizes, std::uint32_t queues_per_dimension, bool shortcuts);
  ~CollectiveEngine();
  CollectiveEngine(const CollectiveEngine&) = delete;
  CollectiveEngine& operator=(const CollectiveEngine&) = delete;

  std::uint32_t ranks() const { return ranks_total_; }
  /// Clocks of the ranks, by rank; they outlive the engine.
  void attach(std::vector<RankClock>& clocks);

  /// Starts on `rank`, now. `done` is called when all chunks of this rank are through; not inside this call.
  /// @throws ModelError  it cannot be carried out, or differs from what another rank of the group issued.
  void start(std::uint32_t rank, CollectiveRequest request);

  /// A collective that has not ended, for reports.
  struct Pending {
    std::uint32_t rank = 0;
    std::uint64_t node = 0;
    std::string text;
    Time since;
  };
  /// In order of issue.
  std::vector<Pending> pending() const;
  std::uint64_t chunks_run() const { return chunks_run_; }

 private:
  friend class CustomCollectives;
  friend class PlannedCollectives;
  friend class Lockstep;
  friend struct Exchange;
  friend struct HalvingDoubling;
  friend struct DoubleBinaryTree;

  struct Step : RankClock::Item {
    Step() : Item(&CollectiveEngine::step_elapsed) {}
    CollectiveEngine* engine = nullptr;
    Stream* stream = nullptr;
    Call* call = nullptr;  ///< instead of a stream: it has nothing to do and ends
    Time reduction;
    std::uint32_t note = 0;
    bool reduces = false;
    bool ends_phase = false;  ///< instead of the algorithm's step
  };

  // engine.cpp: calls, chunks and queues.
  std::shared_ptr<const Plan> plan_for(EngineRank& r, CollectiveRequest& request);
  void compare(const Call& call);
  std::uint64_t next_number(EngineRank& r, const CommGroup& group);
  void make_chunks(EngineRank& r, Call& call);
  void make_chunk(EngineRank& r, Call& call, std::uint32_t chunk, std::uint64_t bytes);
  void complete_later(EngineRank& r, Call& call);
  void finish_call(Call& call);
  QueueSet& queue_set(EngineRank& r, const CommGroup& group);
  void take_turns(EngineRank& r, Call& call);
  std::uint32_t lane_size(Phase::Lane lane) const;
  void enter_queue(Stream& s);
  void start_waiting(ChunkQueue& q);
  void start_oldest(QueueSet& set);
  void start_stream(Stream& s);
  void phase_finished(Stream& s);
  std::uint64_t phase_result(const Stream& s) const;

  // What algorithms use.
  void prepare(Stream& s);
  /// An endpoint step of `s`, then the reduction if it reduces; then the algorithm's own step.
  void step(Stream& s, bool reduces, Time reduction, std::uint32_t note = 0);
  static void step_elapsed(RankClock::Item& item);
  Time reduction_time(std::uint64_t bytes) const;
  void send(Stream& s, std::uint32_t position, std::uint64_t bytes, std::uint32_t part = 0);
  void receive(Stream& s, std::uint32_t position, std::uint64_t bytes, std::uint32_t note = 0, std::uint32_t part = 0);
  static void on_received(void* owner, std::uint32_t note);
  void algorithm_start(Stream& s);
  void algorithm_step(Stream& s, std::uint32_t note);
  void algorithm_received(Stream& s, std::uint32_t note);

  const Phase& phase(const Stream& s) const { return s.call->plan->phases[s.phase]; }

  sim::Simulation& simulation_;
  Messenger& messenger_;
  const SystemConfig& system_;
  const Rules& rules_;
  std::vector<std::uint32_t> sizes_;
  std::uint32_t ranks_total_ = 1, queues_per_dimension_;
  std::uint64_t running_limit_;
  std::vector<EngineRank> ranks_;
  Pool<Stream> streams_;
  Pool<Step> steps_;
  std::map<std::uint64_t, std::unique_ptr<Call>> calls_;  // by number of issue
  std::uint64_t issued_ = 0, chunks_run_ = 0;
  using PlanKey = std::tuple<std::uint64_t, int, std::int64_t, std::uint32_t>;
  std::map<PlanKey, std::shared_ptr<const Plan>> plans_;
  /// G4: what the first rank of a group issued as its k-th collective, until all have.
  struct Agreed {
    CollectiveOp op;
    std::uint64_t bytes, node;
    std::optional<std::uint32_t> dimensions;
    std::uint32_t rank;
    std::string custom;
    std::uint32_t root;
    std::uint32_t joined;
  };
  std::map<std::pair<const CommGroup*, std::uint64_t>, Agreed> agreed_;
  std::unique_ptr<CustomCollectives> custom_;
  std::unique_ptr<PlannedCollectives> planned_;
  std::unique_ptr<Lockstep> lockstep_;  ///< none if shortcuts are off
};

}  // namespace tutti::workload
