#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace tutti {

/// Exit codes of the command line (docs/cli.md).
enum class ExitCode : int {
  ok = 0,
  bad_input = 2,
  mismatch = 3,
  deadlock = 4,
  violation = 5,
  interrupted = 130,
  internal = 70
};

/// Root of all errors that Tutti throws. Libraries never exit and never print.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The user's file or option is wrong. what() holds every fault found, a line each: "file:line:column: error: ...".
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& what) : Error(ExitCode::bad_input, what) {}
};

/// The user's kernel or trace did something that the model forbids; names rank, PE, node or file.
class ModelError : public Error {
 public:
  explicit ModelError(const std::string& what, ExitCode code = ExitCode::bad_input) : Error(code, what) {}
};

/// Some process can never go on, or a receive or bytes are left over.
class DeadlockError : public Error {
 public:
  explicit DeadlockError(const std::string& what) : Error(ExitCode::deadlock, what) {}
};

/// A bound, an invariant or a hazard check failed.
class ViolationError : public Error {
 public:
  explicit ViolationError(const std::string& what) : Error(ExitCode::violation, what) {}
};

/// Our own fault.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& what) : Error(ExitCode::internal, what) {}
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& message);

}  // namespace tutti

/// Kept in release builds. Throws InternalError with the condition, the place and `message` (a std::string expression).
#define CHECK(condition, message)                                       \
  do {                                                                  \
    if (!(condition)) [[unlikely]]                                      \
      ::tutti::check_failed(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
