#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "ccl/endpoint.h"

namespace tutti::ccl {

/// Consecutive elements of a tensor.
struct Piece {
  std::int64_t first = 0, elements = 0;
};

/// Part `index` of `parts`: parts follow each other, differ by at most one element, together are the whole. `index` is
/// taken modulo `parts`. Source: ADR-0023 D15, `chunked`.
Piece part(Piece whole, std::int64_t parts, std::int64_t index);
/// All parts, in order.
std::vector<Piece> chunked(Piece whole, std::int64_t parts);

/// Which blocks a rank passes on and takes in a step of a ring: (rank - step) and (rank - step - 1), modulo world_size.
struct RingStep {
  int send, receive;
};
RingStep ring_step(int rank, int step, int world_size);

/// Place of a rank in the binary tree with root 0: rank r has children 2r + 1 and 2r + 2.
struct TreeStep {
  int level;
  std::optional<int> parent, child_left, child_right;
};
TreeStep tree_step(int rank, int world_size);

/// Tensor elements of one slot, at least 1. @throws nothing; a slot smaller than an element is refused by the send.
inline std::int64_t elements_per_slot(const Endpoint& tl, Port port, memory::DType t) {
  const std::int64_t n = tl.slot_size(port).count() / memory::size_of(t);
  return n > 0 ? n : 1;
}
inline Address address_of(Address tensor, std::int64_t element, memory::DType t) {
  return tensor + static_cast<Address>(element * memory::size_of(t));
}
inline Bytes bytes_of(Piece piece, memory::DType t) { return Bytes(piece.elements * memory::size_of(t)); }

}  // namespace tutti::ccl
