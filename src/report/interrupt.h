#pragma once
#include <csignal>
#include <exception>

#include "base/error.h"

namespace tutti::report {

/// The run was ended from outside; what there is of it is worth writing.
class Interrupted : public Error {
 public:
  Interrupted() : Error(ExitCode::deadlock, "error: interrupted; the result is partial") {}
};

/// Owns Ctrl-C while it lives: the first is noted, the second ends the program as usual.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  static bool interrupted();

 private:
  struct sigaction before_{};
};

}  // namespace tutti::report
