#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tutti::plan {

/// A published number and what a preset says of it.
struct CalibrationPoint {
  std::string preset, what, unit;
  double published = 0, model = 0;
  double error() const { return published != 0 ? model / published - 1 : 0; }
};

/// Tenstorrent Wormhole NoC: cycles of a transfer of `bytes`: the larger of issuing it and of the link's 30 B a cycle
/// (32 B flits less headers). Fitted to the bandwidths by transfer size that tt-npe states.
double wormhole_noc_cycles(double bytes);
/// Tenstorrent Wormhole fabric, one hop: 760 ns and 132 ps a byte, fitted to 16 B and 4 KiB (tt-metal PR 20486).
double wormhole_fabric_ns(double bytes);

/// NCCL's tuning model, intra-node: base + 2 (P - 1) x step. Source: nccl, src/graph/tuning.cc.
enum class NcclAlgorithm { ring, tree };
enum class NcclProtocol { ll, ll128, simple };
double nccl_latency_us(NcclAlgorithm algorithm, NcclProtocol protocol, int ranks);

/// All points of the presets that need no files: Wormhole NoC and fabric, NCCL's model, wafer-scale (spec 4.3, 4.4).
std::vector<CalibrationPoint> calibration_points();

/// Where the wafer-scale reduce algorithms change places: the cheapest of star, chain, tree and two-phase for vectors
/// of 1, 2, 4, ... words on a row.
struct Crossover {
  int pes;
  std::int64_t words;  ///< from here on
  std::string winner;
  double cycles;
};
std::vector<Crossover> wafer_crossovers(int pes);

struct Measured {
  double bytes = 0, us = 0;
};
/// t = latency + bytes / rate in up to three ranges of size, as protocols change: the cheapest relative error.
struct Regimes {
  struct Line {
    double from = 0, latency_us = 0, us_per_byte = 0;
  };
  std::vector<Line> lines;  ///< ascending
  double us(double bytes) const;
};
/// Least squares of relative errors; ranges of at least three points, another only if it takes away a fifth.
/// @param points  ascending, at least three.
Regimes fit_regimes(const std::vector<Measured>& points);

struct Fit {
  std::string name;  ///< hardware, library, collective
  std::size_t fitted = 0, tested = 0;
  Regimes regimes;
  double mean_error = 0, largest_error = 0;  ///< of rows that were not fitted
};
/// Reads a table of measured collectives (columns collective, size_bytes, time_us, hardware, library, ranks), fits each
/// series of at least eight sizes on its even rows, and compares with its odd rows.
/// @throws ConfigError  "file:line: error: ...".
std::vector<Fit> fit_measured(const std::string& path);

}  // namespace tutti::plan
