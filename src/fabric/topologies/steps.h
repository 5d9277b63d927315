#pragma once
#include <utility>
#include <vector>

namespace tutti::fabric {

/// One step from `from` towards `to` along a line of `size` places; around the end if `wrap` and shorter (a tie goes
/// up). @pre from != to.
inline int step(int from, int to, int size, bool wrap) {
  const int up = (to - from + size) % size;
  const bool rise = wrap && size > 2 ? up <= size - up : to > from;
  return (from + (rise ? 1 : size - 1)) % size;
}

/// Dimension order in a grid: along the row to the column of `to`, then along that column.
inline int grid_step(int from, int to, int rows, int columns, bool wrap) {
  const int row = from / columns, column = from % columns;
  if (column != to % columns) return row * columns + step(column, to % columns, columns, wrap);
  return step(row, to / columns, rows, wrap) * columns + column;
}

/// Neighbours of a grid, lower number first; a wrap joins lines of more than two.
inline std::vector<std::pair<int, int>> grid_edges(int rows, int columns, bool wrap) {
  std::vector<std::pair<int, int>> edges;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int at = r * columns + c;
      if (c + 1 < columns) edges.emplace_back(at, at + 1);
      if (r + 1 < rows) edges.emplace_back(at, at + columns);
      if (wrap && columns > 2 && c == 0) edges.emplace_back(at, at + columns - 1);
      if (wrap && rows > 2 && r == 0) edges.emplace_back(at, at + (rows - 1) * columns);
    }
  return edges;
}

}  // namespace tutti::fabric
