// All-reduce on a grid: reduce-scatter along rows, all-reduce of what is left along columns, all-gather along rows.
// Jain and Sabharwal, "Optimal bucket algorithms for large MPI collectives on torus interconnects", ICS 2010.
#include <fmt/format.h>

#include "plan/algorithm.h"
#include "plan/phases.h"

namespace tutti::plan {
namespace {

/// Given, or the greatest divisor of the ranks that is at most their root.
int rows_of(const Collective& c, const Parameters& p) {
  if (p["rows"] > 0) return static_cast<int>(p["rows"]);
  int rows = 1;
  for (int r = 1; r * r <= c.ranks; ++r)
    if (c.ranks % r == 0) rows = r;
  return rows;
}

Generator<Step> steps(int rows, int columns, std::int64_t count, int rank) {
  const int i = rank / columns, j = rank % columns;
  const Phase row{{i * columns, 1, columns}, j, Buffer::output, {0, count}, 0};
  const Phase column{{j, columns, rows}, i, Buffer::output, part(count, columns, j), 0};
  for (auto s = ring_reduce_scatter(row); const Step* step = s.next();) co_yield *step;
  for (auto s = ring_reduce_scatter(column); const Step* step = s.next();) co_yield *step;
  for (auto s = ring_all_gather(column); const Step* step = s.next();) co_yield *step;
  for (auto s = ring_all_gather(row); const Step* step = s.next();) co_yield *step;
}

Schedule make(const Collective& c, const Parameters& p) {
  Schedule s;
  const int rows = rows_of(c, p);
  s.steps = [rows, columns = c.ranks / rows, n = c.count](int rank, int) { return steps(rows, columns, n, rank); };
  return s;
}

std::string unfit(const Collective& c, const Parameters& p) {
  const int rows = rows_of(c, p);
  return c.ranks % rows ? fmt::format("{} ranks do not fill {} rows", c.ranks, rows) : "";
}

}  // namespace

Algorithm row_column_all_reduce_algorithm() {
  return {"row_column_all_reduce",
          CollectiveKind::all_reduce,
          "rings along rows and columns of a grid",
          "Jain and Sabharwal, ICS 2010",
          {{"rows", 0, 0, 1 << 20, "rows of the grid; 0: as square as the ranks allow"}},
          make,
          unfit};
}

}  // namespace tutti::plan
