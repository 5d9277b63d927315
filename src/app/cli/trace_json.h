#pragma once
#include <string>
#include <vector>

#include "workload/runner.h"

namespace tutti::app {

/// A setting as it took effect, and where it came from.
struct InputSetting {
  std::string name, value, origin;
};

/// The JSON object of docs/cli.md for a run of traces, with a newline at its end.
std::string trace_json(const workload::RunResult& result, const std::vector<InputSetting>& inputs, double wall_s);
/// The object of a run that could not be done.
std::string trace_error_json(const std::string& error, const std::vector<InputSetting>& inputs);

}  // namespace tutti::app
