#pragma once
#include <string>

#include "host/benchmark.h"

namespace tutti::app {

/// The JSON object of docs/cli.md for a run of kernels, with a newline at its end.
std::string run_json(const host::BenchmarkResult& result, double wall_s);
/// The object of a run that could not begin.
std::string run_error_json(const std::string& error);

}  // namespace tutti::app
