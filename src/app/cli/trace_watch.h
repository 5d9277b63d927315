#pragma once
#include <chrono>
#include <csignal>
#include <string>

#include "workload/runner.h"

namespace tutti::app {

/// Shows how far a run is, once a second on standard error, and ends it on Ctrl-C. One at a time: it owns SIGINT while
/// it lives; a second Ctrl-C ends the program as usual.
class TraceWatch {
 public:
  /// @param progress  "auto" (on a terminal only), "on" or "off".
  explicit TraceWatch(const std::string& progress);
  ~TraceWatch();
  TraceWatch(const TraceWatch&) = delete;
  TraceWatch& operator=(const TraceWatch&) = delete;

  /// @return false after Ctrl-C.
  bool look(const workload::RunProgress& p);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_, shown_ = false, drawn_ = false;
  Clock::time_point begin_, last_;
  struct sigaction before_{};
};

}  // namespace tutti::app
