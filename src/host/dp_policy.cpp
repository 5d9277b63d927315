#include "host/dp_policy.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::host {
namespace {

/// Begin of block `index`: the first total % parts blocks have one more.
std::int64_t begin(std::int64_t total, std::int64_t parts, std::int64_t index) {
  return total / parts * index + std::min(total % parts, index);
}

}  // namespace

Block split(const Block& whole, const Split& how, int places, int index) {
  int rows = 1, columns = 1;
  switch (how.kind) {
    case Split::Kind::replicate:
      return whole;
    case Split::Kind::row_wise:
      rows = places;
      break;
    case Split::Kind::column_wise:
      columns = places;
      break;
    case Split::Kind::tiled:
      if (how.tile_rows < 1 || how.tile_columns < 1 || how.tile_rows * how.tile_columns != places)
        throw ConfigError(fmt::format("tiled({}, {}) makes {} tiles, but there are {} places", how.tile_rows,
                                      how.tile_columns, how.tile_rows * how.tile_columns, places));
      rows = how.tile_rows, columns = how.tile_columns;
      break;
  }
  const int r = index / columns, c = index % columns;
  const std::int64_t row = begin(whole.rows, rows, r), column = begin(whole.columns, columns, c);
  return {whole.row + row, whole.column + column, begin(whole.rows, rows, r + 1) - row,
          begin(whole.columns, columns, c + 1) - column};
}

std::vector<std::optional<Block>> place(const Block& whole, const DPPolicy& policy, int cubes, int pes) {
  const int used_cubes = policy.num_cubes.value_or(cubes), used_pes = policy.num_pes.value_or(pes);
  if (used_cubes < 1 || used_cubes > cubes || used_pes < 1 || used_pes > pes)
    throw ConfigError(
        fmt::format("placement on {} cubes of {} PEs; a SIP has {} of {}", used_cubes, used_pes, cubes, pes));
  std::vector<std::optional<Block>> blocks(static_cast<std::size_t>(cubes) * static_cast<std::size_t>(pes));
  for (int c = 0; c < used_cubes; ++c) {
    const Block of_cube = split(whole, policy.cube, used_cubes, c);
    for (int p = 0; p < used_pes; ++p)
      blocks[static_cast<std::size_t>(c * pes + p)] = split(of_cube, policy.pe, used_pes, p);
  }
  return blocks;
}

}  // namespace tutti::host
