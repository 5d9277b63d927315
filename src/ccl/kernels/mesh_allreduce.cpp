// All-reduce on a grid. Where rows and columns wrap: reduce-scatter along the rows, all-reduce of the own block along
// the columns, all-gather along the rows; a block crosses each row twice and each column twice. Where they do not, a
// row is a line: its sums go east and the result comes back west, then the same along the columns.
#include "ccl/kernels/ring_walk.h"
#include "ccl/kernels/tree_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> line_all_reduce(Endpoint& tl, const KernelArgs& a, Port toward_end, Port toward_begin) {
  std::optional<Port> parent;
  std::vector<Port> children;
  if (tl.has(toward_end)) parent = toward_end;
  if (tl.has(toward_begin)) children.push_back(toward_begin);
  return tree_all_reduce(tl, a, parent, children, {0, a.elements});
}

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  const Piece whole{0, a.elements};
  if (!a.grid.wraps) {
    co_await line_all_reduce(tl, a, Port::E, Port::W);
    co_await line_all_reduce(tl, a, Port::S, Port::N);
    co_return;
  }
  const int row = a.rank / a.grid.columns, column = a.rank % a.grid.columns;
  const RingWalk::Ring along_row{Port::E, Port::W, a.grid.columns}, along_column{Port::S, Port::N, a.grid.rows};
  co_await ring_reduce_scatter(tl, a, along_row, whole, column);
  co_await ring_all_reduce(tl, a, along_column, part(whole, a.grid.columns, column), row);
  co_await ring_all_gather(tl, a, along_row, whole, column);
}

}  // namespace

Kernel mesh_allreduce_kernel() { return {"mesh_allreduce", "mesh_2d", run, "all_reduce"}; }

}  // namespace tutti::ccl
