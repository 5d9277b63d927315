#pragma once
#include <deque>
#include <iosfwd>
#include <vector>

#include "oplog/op.h"

namespace tutti::oplog {

/// What was done to which bytes, each operation once, in an order that respects causes: an operation is added after
/// everything it depends on. Holds no bytes; with the memory as it was before the first operation it can be replayed
/// (executor.h).
class Log {
 public:
  /// Appends and fills in `previous`. @return its number.
  OpId add(Op op);
  /// For a gemm: `op.source` becomes the index of `shape`.
  OpId add(Op op, const GemmShape& shape);

  std::size_t size() const { return ops_.size(); }
  const Op& operator[](OpId id) const { return ops_[id]; }
  const GemmShape& shape(const Op& gemm) const { return shapes_[gemm.source]; }
  /// Highest rank seen, plus one.
  std::size_t ranks() const { return last_.size(); }

 private:
  std::deque<Op> ops_;  ///< grows without moving
  std::deque<GemmShape> shapes_;
  std::vector<OpId> last_;  ///< of each rank
};

/// One line: "op 17: rank 2 recv port 3 ...".
std::string describe(const Log& log, OpId id);
/// One JSON object a line, with the fields of spec 3.3.
void write_jsonl(const Log& log, std::ostream& out);

}  // namespace tutti::oplog
