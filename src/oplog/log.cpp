#include "oplog/log.h"

#include <array>
#include <ostream>
#include <utility>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "base/error.h"

namespace tutti::oplog {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> names = {{{"send", "ipcq"},
                                                                                  {"recv", "ipcq"},
                                                                                  {"recv_copy", "ipcq"},
                                                                                  {"release", "ipcq"},
                                                                                  {"reduce", "math"},
                                                                                  {"copy", "memory"},
                                                                                  {"load", "memory"},
                                                                                  {"store", "memory"},
                                                                                  {"gemm", "gemm"},
                                                                                  {"barrier", "barrier"}}};

}  // namespace

std::string_view to_string(OpName name) { return names[static_cast<std::size_t>(name)].first; }
std::string_view kind_of(OpName name) { return names[static_cast<std::size_t>(name)].second; }
std::uint64_t hash_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

OpId Log::add(Op op) {
  CHECK(ops_.size() < no_op, "more operations than an operation log numbers");
  const auto id = static_cast<OpId>(ops_.size());
  CHECK(op.cause == no_op || op.cause < id, "an operation depends on a later one");
  if (op.rank >= last_.size()) last_.resize(op.rank + std::size_t{1}, no_op);
  op.previous = std::exchange(last_[op.rank], id);
  ops_.push_back(op);
  return id;
}

OpId Log::add(Op op, const GemmShape& shape) {
  op.source = shapes_.size();
  shapes_.push_back(shape);
  return add(op);
}

std::string describe(const Log& log, OpId id) {
  const Op& op = log[id];
  return fmt::format("op {}: rank {} {} at {} ns: {} {} from {:#x} to {:#x}{}", id, op.rank, to_string(op.name),
                     to_ns(op.start), op.size, op.name == OpName::reduce ? "elements" : "bytes", op.source,
                     op.destination, op.cause == no_op ? "" : fmt::format(", caused by op {}", op.cause));
}

void write_jsonl(const Log& log, std::ostream& out) {
  for (OpId id = 0; id < log.size(); ++id) {
    const Op& op = log[id];
    std::string parents;
    if (op.previous != no_op) parents += fmt::format("{}", op.previous);
    if (op.cause != no_op) parents += fmt::format("{}{}", parents.empty() ? "" : ", ", op.cause);
    out << fmt::format(
        R"({{"id": {}, "parents": [{}], "t_start_ns": {}, "t_end_ns": {}, "ccl_rank": {}, "op_kind": "{}", )"
        R"("op_name": "{}", "dtype": "{}", "port": {}, "src_addr": {}, "dst_addr": {}, "size": {}, "sequence": {}}})"
        "\n",
        id, parents, to_ns(op.start), to_ns(op.end), op.rank, kind_of(op.name), to_string(op.name),
        memory::to_string(op.dtype), op.port, op.source, op.destination, op.size, op.sequence);
  }
}

}  // namespace tutti::oplog
