#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "plan/algorithm.h"
#include "workload/collective/engine.h"

namespace tutti::workload {

/// Collectives whose steps the plan layer gives (system file: "plan:NAME"), an element a byte. Only in tutti semantics.
///
/// Streams of a rank run side by side. A send costs an endpoint step and then holds its stream no longer; a receive is
/// posted when its turn comes and costs, after its bytes, an endpoint step and, if it reduces, 3 passes over them at
/// local-mem-bw; a local reduction costs 3 passes, a copy 2. The rank is done when its streams are.
class PlannedCollectives {
 public:
  explicit PlannedCollectives(CollectiveEngine& engine);
  ~PlannedCollectives();

  /// @throws ModelError  the algorithm cannot serve this group.
  void start(Stream& s);

 private:
  struct Run;
  struct Line;
  std::shared_ptr<const plan::Schedule> schedule(const Stream& s);
  void advance(Line& line);
  bool begin(Line& line);
  void wake(Run& run);
  void later(Line& line, Time delay);
  Time passes(int n, std::int64_t bytes) const;
  void ended(Run& run);
  static void elapsed(RankClock::Item& item);
  static void on_received(void* owner, std::uint32_t note);
  static void on_sent(void* owner, std::uint32_t note);

  CollectiveEngine& engine_;
  using Key = std::tuple<const Phase*, std::uint64_t, std::uint32_t>;  // phase of a plan, bytes, position of the root
  std::map<Key, std::shared_ptr<const plan::Schedule>> schedules_;
  std::map<std::uint64_t, std::unique_ptr<Run>> runs_;  // by number of start
  std::uint64_t started_ = 0;
};

}  // namespace tutti::workload
