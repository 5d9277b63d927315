#pragma once
#include <cstdint>

#include "base/units.h"

namespace tutti::workload {

/// Where a rank's time goes. Intervals of one kind that overlap count once. At every instant exactly one of the last
/// five members of Totals grows, so that they add up to the finish time.
class TimeAccount {
 public:
  enum class Kind : std::uint8_t { cpu, gpu, comm, memory };
  struct Totals {
    Time cpu, gpu, comm, memory;  ///< union of the intervals of each kind
    Time compute_only;            ///< cpu or gpu, no communication
    Time overlap;                 ///< compute and communication
    Time exposed_comm;            ///< communication, no compute
    Time memory_only;             ///< memory, neither compute nor communication
    Time idle;                    ///< nothing
    Time compute() const { return compute_only + overlap; }
  };

  void begin(Kind kind, Time now) {
    advance(now);
    ++running_[static_cast<int>(kind)];
  }
  void end(Kind kind, Time now) {
    advance(now);
    --running_[static_cast<int>(kind)];
  }
  void advance(Time now) {
    const Time d = now - last_;
    if (d == Time()) return;
    last_ = now;
    const bool cpu = running_[0] != 0, gpu = running_[1] != 0, comm = running_[2] != 0, memory = running_[3] != 0;
    if (cpu) totals_.cpu += d;
    if (gpu) totals_.gpu += d;
    if (comm) totals_.comm += d;
    if (memory) totals_.memory += d;
    if (cpu || gpu)
      (comm ? totals_.overlap : totals_.compute_only) += d;
    else if (comm)
      totals_.exposed_comm += d;
    else if (memory)
      totals_.memory_only += d;
    else
      totals_.idle += d;
  }
  const Totals& totals() const { return totals_; }

 private:
  std::uint32_t running_[4] = {};
  Time last_;
  Totals totals_;
};

}  // namespace tutti::workload
