#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "workload/collective/engine.h"
#include "workload/resolver.h"

namespace tutti::workload {

/// Collectives whose steps are a Chakra trace (C.7.6): <prefix>.<position>.et holds the sends, receives and
/// computations of the rank at that position of the group. No endpoint or reduction cost, no slots: every free node
/// starts.
///
/// Sizes are those of the file (comm_size), or, where it gives chunk counts, msg_chunk_cnt / total_chunk_cnt of the
/// collective's whole buffer, rounded up (an all-gather's buffer is comm_size times ranks). In ASTRA-sim the file is
/// chosen by the position in the sorted group, its ranks are positions of the listed one (G23), and its tags are those
/// of the trace's own sends and receives (G34).
class CustomCollectives {
 public:
  explicit CustomCollectives(CollectiveEngine& engine);
  ~CustomCollectives();

  /// @throws ModelError  the file is missing or cannot be carried out; names it.
  void start(Stream& s);

 private:
  struct Run;
  struct Delay : RankClock::Item {
    Delay(Run& r, std::uint32_t n) : Item(&CustomCollectives::delay_elapsed), run(&r), node(n) {}
    Run* run;
    std::uint32_t node;
  };
  static void delay_elapsed(RankClock::Item& item);
  /// `name` in the working directory, else beside the system file or in a folder above it.
  std::string find(const std::string& name) const;
  const Trace& program(const std::string& prefix, std::uint32_t position);
  std::uint64_t message_bytes(const Run& run, std::uint32_t node) const;
  void issue(Run& run, std::uint32_t node);
  void finished(Run& run, std::uint32_t node);

  CollectiveEngine& engine_;
  std::map<std::string, std::unique_ptr<const Trace>> programs_;
  std::map<const Stream*, std::unique_ptr<Run>> runs_;  // looked up only
  Pool<Delay> delays_;
};

}  // namespace tutti::workload
