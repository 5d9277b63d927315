#include "ccl/helpers.h"

#include <bit>

namespace tutti::ccl {

Piece part(Piece whole, std::int64_t parts, std::int64_t index) {
  index = (index % parts + parts) % parts;
  const auto begin = [&](std::int64_t i) { return whole.elements / parts * i + whole.elements % parts * i / parts; };
  return {whole.first + begin(index), begin(index + 1) - begin(index)};
}

std::vector<Piece> chunked(Piece whole, std::int64_t parts) {
  std::vector<Piece> all;
  for (std::int64_t i = 0; i < parts; ++i) all.push_back(part(whole, parts, i));
  return all;
}

RingStep ring_step(int rank, int step, int world_size) {
  const auto wrap = [world_size](int i) { return (i % world_size + world_size) % world_size; };
  return {wrap(rank - step), wrap(rank - step - 1)};
}

TreeStep tree_step(int rank, int world_size) {
  TreeStep s{static_cast<int>(std::bit_width(static_cast<unsigned>(rank) + 1)) - 1, {}, {}, {}};
  if (rank > 0) s.parent = (rank - 1) / 2;
  if (2 * rank + 1 < world_size) s.child_left = 2 * rank + 1;
  if (2 * rank + 2 < world_size) s.child_right = 2 * rank + 2;
  return s;
}

}  // namespace tutti::ccl
