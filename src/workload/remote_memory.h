#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "workload/messenger.h"
#include "workload/rank_clock.h"
#include "workload/rules.h"

namespace tutti::workload {

/// ASTRA-sim's remote-memory file.
struct RemoteMemoryConfig {
  enum class Kind : std::uint8_t { none, per_rank, per_node, pool } kind = Kind::none;
  std::uint64_t latency_ns = 0;
  double bytes_per_ns = 0;  ///< GB/s of 1e9; ASTRA-sim drops the fraction
  std::uint32_t nodes = 0, ranks_per_node = 0;
};

/// @throws ConfigError  lists every fault with file:line:column.
RemoteMemoryConfig read_remote_memory_file(const std::string& path, std::uint32_t ranks, const Rules& rules);
RemoteMemoryConfig parse_remote_memory(const std::string& text, const std::string& path, std::uint32_t ranks,
                                       const Rules& rules);

/// Memory beyond the ranks. An access takes latency + bytes / bandwidth. per_rank: no contention; per_node and pool:
/// one access at a time in the node or in the machine, first come, first served.
class RemoteMemory {
 public:
  RemoteMemory(const RemoteMemoryConfig& config, const Rules& rules);
  /// @throws ModelError  there is no remote memory.
  void access(std::uint32_t rank, std::uint64_t bytes, RankClock& clock, Completion done);

 private:
  struct Access : RankClock::Item {
    Access(RemoteMemory& m, std::uint32_t p, Time t, RankClock& c, Completion d)
        : Item(&RemoteMemory::finished), memory(&m), port(p), time(t), clock(&c), done(d) {}
    RemoteMemory* memory;
    std::uint32_t port;
    Time time;
    RankClock* clock;
    Completion done;
  };
  static void finished(RankClock::Item& item);
  Time duration(std::uint64_t bytes) const;

  struct Port {
    bool busy = false;
    std::deque<Access*> waiting;
  };
  RemoteMemoryConfig config_;
  bool whole_ns_;
  Pool<Access> pool_;
  std::vector<Port> ports_;
};

}  // namespace tutti::workload
