#include "app/cli/algo_calibrate.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/calibration.h"

namespace tutti::app {

int calibrate(const std::string& measured) {
  bool far = false;
  fmt::print("| preset | point | published | model | error |\n|---|---|---|---|---|\n");
  for (const auto& p : plan::calibration_points()) {
    far = far || std::fabs(p.error()) > 0.1;
    fmt::print("| {} | {} | {:.4g} {} | {:.5g} {} | {:+.1f} % |\n", p.preset, p.what, p.published, p.unit, p.model,
               p.unit, 100 * p.error());
  }
  fmt::print("\n| PEs of a row | from words | cheapest reduce | cycles |\n|---|---|---|---|\n");
  for (const int pes : {64, 512})
    for (const auto& c : plan::wafer_crossovers(pes))
      fmt::print("| {} | {} | {} | {:.0f} |\n", pes, c.words, c.winner, c.cycles);
  if (!measured.empty()) {
    fmt::print(
        "\n| series | fitted, tested rows | from bytes: latency us, GB/s | mean error | largest "
        "|\n|---|---|---|---|---|\n");
    for (const auto& f : plan::fit_measured(measured)) {
      std::string lines;
      for (const auto& l : f.regimes.lines)
        lines += fmt::format("{}{:.0f}: {:.1f}, {}", lines.empty() ? "" : "; ", l.from, l.latency_us,
                             l.us_per_byte > 0 ? fmt::format("{:.1f}", 1e-3 / l.us_per_byte) : "any");
      fmt::print("| {} | {}, {} | {} | {:.1f} % | {:.1f} % |\n", f.name, f.fitted, f.tested, lines, 100 * f.mean_error,
                 100 * f.largest_error);
    }
  }
  return far ? static_cast<int>(ExitCode::violation) : 0;
}

}  // namespace tutti::app
