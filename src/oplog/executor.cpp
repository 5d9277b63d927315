#include "oplog/executor.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "base/error.h"
#include "memory/gemm.h"
#include "memory/phys_addr.h"

namespace tutti::oplog {
namespace {

class Executor {
 public:
  Executor(const Log& log, memory::Space& memory) : log_(log), memory_(memory), next_(log.ranks()) {
    std::vector<std::size_t> count(log.ranks());
    for (OpId id = 0; id < log.size(); ++id) ++count[log[id].rank];
    of_rank_.resize(log.ranks());
    for (std::size_t r = 0; r < count.size(); ++r) of_rank_[r].reserve(count[r]);
    for (OpId id = 0; id < log.size(); ++id) of_rank_[log[id].rank].push_back(id);
  }

  std::optional<Difference> run() {
    for (std::uint32_t r = 0; r < of_rank_.size(); ++r) runnable_.push_back(r);
    while (!runnable_.empty()) {
      const std::uint32_t rank = runnable_.back();
      runnable_.pop_back();
      for (std::size_t& i = next_[rank]; i < of_rank_[rank].size(); ++i) {
        const Op& op = log_[of_rank_[rank][i]];
        if (op.cause != no_op && !in_flight_.contains(op.cause)) {
          waiting_[op.cause] = rank;
          break;
        }
        execute(of_rank_[rank][i], op);
      }
    }
    for (std::size_t r = 0; r < next_.size(); ++r)
      CHECK(next_[r] == of_rank_[r].size() || difference_, "the log has an operation whose cause never happens");
    return difference_;
  }

 private:
  std::vector<std::byte>& read(std::vector<std::byte>& into, std::uint64_t address, std::uint64_t bytes) {
    into.resize(bytes);
    memory_.read(address, into);
    return into;
  }

  void execute(OpId id, const Op& op) {
    switch (op.name) {
      case OpName::send: {
        std::vector<std::byte> bytes;
        if (!free_.empty()) bytes.swap(free_.back()), free_.pop_back();
        in_flight_.insert({id, std::move(read(bytes, op.source, op.size))});
        if (const auto w = waiting_.find(id); w != waiting_.end()) {
          runnable_.push_back(w->second);
          waiting_.erase(w);
        }
        break;
      }
      case OpName::recv:
      case OpName::recv_copy: {
        const auto message = in_flight_.find(op.cause);
        const std::vector<std::byte>& bytes = message.value();
        if ((bytes.size() != op.size || hash_of(bytes) != op.hash) && (!difference_ || id < difference_->op))
          difference_ = {id, describe(log_, id) + ": the replay finds other bytes in the slot"};
        memory_.write(op.source, bytes);
        if (op.name == OpName::recv_copy) memory_.write(op.destination, bytes);
        free_.push_back(std::move(message.value()));
        in_flight_.erase(message);
        break;
      }
      case OpName::reduce: {
        const std::uint64_t bytes = op.size * static_cast<std::uint64_t>(memory::size_of(op.dtype));
        read(a_, op.destination, bytes);
        read(b_, op.source, bytes);
        memory::reduce(op.reduce, op.dtype, a_.data(), b_.data(), static_cast<std::int64_t>(op.size));
        memory_.write(op.destination, a_);
        break;
      }
      case OpName::copy:
      case OpName::load:
      case OpName::store:
        memory_.write(op.destination, read(a_, op.source, op.size));
        break;
      case OpName::gemm: {
        const GemmShape& s = log_.shape(op);
        const auto width = static_cast<std::uint64_t>(memory::size_of(op.dtype));
        const auto size = [width](std::int64_t rows, std::int64_t columns) {
          return static_cast<std::uint64_t>(rows * columns) * width;
        };
        read(a_, s.a, size(s.m, s.k));
        read(b_, s.b, size(s.k, s.n));
        c_.assign(size(s.m, s.n), std::byte{});
        if (s.accumulate) memory_.read(op.destination, c_);
        memory::gemm(op.dtype, a_.data(), b_.data(), c_.data(), s.m, s.n, s.k, s.accumulate);
        memory_.write(op.destination, c_);
        break;
      }
      case OpName::release:
      case OpName::barrier:
        break;
    }
  }

  const Log& log_;
  memory::Space& memory_;
  std::vector<std::vector<OpId>> of_rank_;
  std::vector<std::size_t> next_;
  std::vector<std::uint32_t> runnable_;
  tsl::robin_map<OpId, std::vector<std::byte>> in_flight_;  ///< by send
  tsl::robin_map<OpId, std::uint32_t> waiting_;             ///< rank, by the send it needs
  std::vector<std::vector<std::byte>> free_;                ///< buffers to use again
  std::vector<std::byte> a_, b_, c_;
  std::optional<Difference> difference_;
};

}  // namespace

std::optional<Difference> replay(const Log& log, memory::Space& memory) { return Executor(log, memory).run(); }

memory::Space empty_image() { return memory::Space("replay", std::uint64_t{1} << 51); }

std::optional<Difference> compare(const memory::Space& image,
                                  const std::function<void(std::uint64_t, std::span<std::byte>)>& read) {
  std::optional<Difference> first;
  std::vector<std::byte> run;
  image.each_written([&](std::uint64_t address, std::span<const std::byte> replayed) {
    if (first) return;
    run.resize(replayed.size());
    read(address, run);
    if (std::memcmp(run.data(), replayed.data(), run.size()) == 0) return;
    const auto [a, b] = std::mismatch(run.begin(), run.end(), replayed.begin());
    const auto at = memory::PhysAddr::decode(address + static_cast<std::uint64_t>(a - run.begin()));
    first = Difference{no_op, fmt::format("after the run {} holds {:#04x}, after the replay {:#04x}", at.describe(),
                                          std::to_integer<unsigned>(*a), std::to_integer<unsigned>(*b))};
  });
  return first;
}

}  // namespace tutti::oplog
