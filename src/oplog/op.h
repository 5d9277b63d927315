#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/units.h"
#include "memory/dtype.h"
#include "memory/reduce.h"

namespace tutti::oplog {

/// Number of an operation in its log, from 0.
using OpId = std::uint32_t;
inline constexpr OpId no_op = 0xffffffffu;

/// What was done. The kinds of spec 3.3: ipcq (send to release), math (reduce, fill, binary), memory (copy, load,
/// store), gemm, barrier.
enum class OpName : std::uint8_t { send, recv, recv_copy, release, reduce, copy, load, store, gemm, barrier };
std::string_view to_string(OpName name);
/// "ipcq", "math", "memory", "gemm" or "barrier".
std::string_view kind_of(OpName name);

/// One operation of one rank, 72 bytes. Its causal parents are `previous` and `cause`; both have smaller numbers.
struct Op {
  OpName name = OpName::copy;
  memory::DType dtype = memory::DType::i8;
  memory::ReduceOp reduce = memory::ReduceOp::sum;
  std::uint8_t port = 0;  ///< of send, recv, release
  std::uint32_t rank = 0;
  OpId previous = no_op;          ///< of the same rank; the log fills it in
  OpId cause = no_op;             ///< recv: the send whose bytes arrived
  std::uint64_t destination = 0;  ///< address written; send: the peer's slot
  std::uint64_t source = 0;       ///< address read; recv: the slot; gemm: index of its shape in the log
  std::uint64_t size = 0;         ///< bytes; elements for reduce
  std::uint64_t sequence = 0;     ///< of the message on its queue pair
  std::uint64_t hash = 0;         ///< recv: of the bytes found in the slot
  Time start = {}, end = {};
};

/// c (m x n) = a (m x k) x b (k x n), plus what c held if `accumulate`; row by row, all three contiguous.
struct GemmShape {
  std::uint64_t a = 0, b = 0;  ///< addresses
  std::int64_t m = 0, n = 0, k = 0;
  bool accumulate = false;
};

/// The hash that recv records.
std::uint64_t hash_of(std::span<const std::byte> bytes);

}  // namespace tutti::oplog
