#pragma once
#include <deque>
#include <vector>

#include "device/recorder.h"
#include "host/benchmark.h"
#include "report/names.h"
#include "report/record.h"

namespace tutti::report {

/// Listens to a run of kernels on PEs and makes a Record of it. Times of the run are the same with and without it.
/// Ends the run with Interrupted if an InterruptWatch has noted Ctrl-C.
class MachineRecorder final : public host::BenchmarkObserver, public device::Recorder {
 public:
  /// @param most_rows  of slices and of messages, each.
  explicit MachineRecorder(std::size_t most_rows = 250'000);

  void prepared(host::Runtime& runtime) override;
  void ended(host::Runtime& runtime) override;

  void send_issued(const device::SendRecord& r, Time t) override;
  void source_read(const device::MessageKey& key, std::span<const std::byte>, Time t) override;
  void slot_written(const device::MessageKey& key, Time t) override;
  void received(const device::ReceiveRecord& r, Time t) override;
  void released(const device::MessageKey& key, Time t) override;
  void credited(const device::MessageKey& first_held, Time t) override;
  void reduced(const device::ReduceRecord& r, Time begin, Time end) override;
  void gemm_started(const device::GemmRecord& r, std::uint64_t number, Time t) override;
  void gemm_ended(const device::GemmRecord& r, std::uint64_t number, Time t) override;
  void copied(const device::CopyRecord& r, Time begin, Time end) override;

  /// What was seen, and what `result` says. Call once.
  Record take(const host::BenchmarkResult& result, double wall_s);

 private:
  /// Messages of a ring that have not been credited yet, oldest first.
  struct Ring {
    std::uint64_t first = 0;  ///< sequence of the front
    std::deque<Message> open;
    std::uint32_t name = 0;
    Time last_credit;  ///< of the newest slot that came back
    Time latency;
    std::int32_t source = -1;
  };
  Ring& ring(const device::MessageKey& key);
  Message* find(const device::MessageKey& key);
  int rank_of(std::int32_t pe) const { return rank_[static_cast<std::size_t>(pe)]; }
  void slice(std::int32_t rank, Activity a, std::uint32_t name, Time begin, Time end);
  /// The rank did something up to `t`.
  void touch(std::int32_t rank, Time t) { last_[static_cast<std::size_t>(rank)] = t; }

  Record record_;
  Names names_;
  host::Runtime* runtime_ = nullptr;
  std::vector<int> rank_;                 ///< by PE
  std::vector<Time> last_;                ///< by rank: end of what it did last
  std::vector<std::vector<Ring>> rings_;  ///< by receiving PE and port
  struct Product {
    std::int32_t pe;
    std::uint64_t number;
    Time begin;
  };
  std::vector<Product> products_;
  std::uint64_t calls_ = 0;
};

}  // namespace tutti::report
