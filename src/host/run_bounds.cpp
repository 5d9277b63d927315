#include "host/run_bounds.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "ccl/helpers.h"
#include "host/ports.h"

namespace tutti::host {
namespace {

class Finder {
 public:
  Finder(Runtime& runtime, Bytes tensor)
      : runtime_(runtime),
        machine_(runtime.machine()),
        n_(tensor),
        ranks_(runtime.world_size()),
        what_(runtime.algorithm().collective),
        graph_(machine_.fabric().graph()) {}

  Bounds run() {
    if (ranks_ < 2) return bounds_;
    latency();
    if (what_ != "barrier" && n_ > Bytes()) {
      bandwidth();
      for (const char* part : {"cube", "SIP"}) cut(part);
      compute();
      ring();
    }
    credit();
    return bounds_;
  }

 private:
  void add(const char* name, Time time, std::string why) { bounds_.all.push_back({name, time, std::move(why)}); }

  /// Calls f(rank, port, peer's rank) for each port that sends.
  template <class F>
  void each_pair(F f) {
    std::vector<int> rank_of(static_cast<std::size_t>(machine_.size()), -1);
    for (int r = 0; r < ranks_; ++r) rank_of[static_cast<std::size_t>(runtime_.pe_of(r))] = r;
    for (int r = 0; r < ranks_; ++r) {
      const device::Pe& pe = machine_.pe(runtime_.pe_of(r));
      for (std::size_t d = 0; d < device::max_ports; ++d)
        if (const auto& w = pe.ipcq().wiring(static_cast<device::Direction>(d)); w && w->sends)
          f(r, static_cast<device::Direction>(d), rank_of[static_cast<std::size_t>(w->peer_index)]);
    }
  }
  Time path(int from, int to, std::uint64_t bytes) {
    return machine_.fabric().path_latency(machine_.pe(runtime_.pe_of(from)).node(),
                                          machine_.pe(runtime_.pe_of(to)).node(), bytes, device::vc_comm);
  }
  /// n x numerator / denominator bytes at `rate`, rounded down.
  Time transfer(std::int64_t numerator, std::int64_t denominator, Bandwidth rate) const {
    __extension__ using Wide = __int128;
    return Time::ps(static_cast<std::int64_t>(Wide{n_.count()} * numerator * 8 * 1'000'000'000'000 /
                                              (Wide{denominator} * rate.bits_per_second())));
  }

  void latency() {
    Time cheapest = Time::max();
    each_pair([&](int from, auto, int to) { cheapest = std::min(cheapest, path(from, to, 0)); });
    if (cheapest == Time::max()) return;
    const int steps = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks_ - 1)));
    add("latency", cheapest * steps, fmt::format("ceil(log2 {}) = {} x {}", ranks_, steps, to_string(cheapest)));
  }

  std::pair<std::int64_t, std::int64_t> share() const {
    if (what_ == "all_reduce") return {2 * (ranks_ - 1), ranks_};
    if (what_ == "broadcast") return {1, 1};
    return {ranks_ - 1, ranks_};
  }

  void bandwidth() {
    if (what_ == "custom") return;
    Bandwidth rate = Bandwidth::bits_per_second(INT64_MAX);  // of the slowest rank
    for (int r = 0; r < ranks_; ++r) {
      std::int64_t out = 0;
      for (const auto link : graph_.outgoing(machine_.pe(runtime_.pe_of(r)).node()))
        out += graph_.links()[link].bandwidth.bits_per_second();
      rate = std::min(rate, Bandwidth::bits_per_second(out));
    }
    const auto [a, b] = share();
    add("bandwidth", transfer(a, b, rate), fmt::format("{} / {} x {} / {}", a, b, to_string(n_), to_string(rate)));
  }

  void cut(const char* part) {
    const bool sip = std::string_view(part) == "SIP";
    const auto key = [sip](const device::PeId& id) { return std::pair(id.sip, sip ? 0u : id.cube); };
    std::map<std::pair<unsigned, unsigned>, int> inside;
    for (int r = 0; r < ranks_; ++r) ++inside[key(machine_.ids()[static_cast<std::size_t>(runtime_.pe_of(r))])];
    if (inside.size() < 2 || what_ == "custom") return;
    Bound best{fmt::format("cut_{}", sip ? "sip" : "cube"), Time(), ""};
    for (const auto& [id, count] : inside) {
      const std::string prefix =
          sip ? fmt::format("sip{}.", id.first) : fmt::format("sip{}.cube{}.", id.first, id.second);
      std::int64_t out = 0;
      for (const auto& l : graph_.links())
        if (graph_.nodes()[l.source].path.starts_with(prefix) &&
            !graph_.nodes()[l.destination].path.starts_with(prefix))
          out += l.bandwidth.bits_per_second();
      if (out == 0) continue;
      // All-gather, reduce-scatter: the parts of those inside, or of those outside, must leave. All-to-all: of each
      // pair.
      std::int64_t a = 1, b = 1;
      if (what_ == "all_gather") a = count, b = ranks_;
      if (what_ == "reduce_scatter") a = ranks_ - count, b = ranks_;
      if (what_ == "all_to_all") a = std::int64_t{count} * (ranks_ - count), b = ranks_;
      if (what_ == "broadcast") continue;
      const Bandwidth rate = Bandwidth::bits_per_second(out);
      if (const Time t = transfer(a, b, rate); t > best.time)
        best.time = t, best.why = fmt::format("{} / {} x {} / {} out of {}", a, b, to_string(n_), to_string(rate),
                                              prefix.substr(0, prefix.size() - 1));
    }
    if (best.time > Time()) bounds_.all.push_back(best);
  }

  void compute() {
    if (what_ != "all_reduce" && what_ != "reduce_scatter") return;
    const Bandwidth rate = machine_.spec().math.bandwidth;
    add("compute", transfer(ranks_ - 1, ranks_, rate),
        fmt::format("{} / {} x {} / {}", ranks_ - 1, ranks_, to_string(n_), to_string(rate)));
  }

  void ring() {
    const std::string_view kernel = runtime_.algorithm().name;
    const bool reduces = kernel == "ring_allreduce";
    if (!reduces && kernel != "all_gather" && kernel != "reduce_scatter") return;
    // A block's first message, of the smallest block: at least so much travels on each hop.
    const std::int64_t block = n_.count() / ranks_;
    const auto first = static_cast<std::uint64_t>(std::min(block, runtime_.config().queue.slot_size.count()));
    std::vector<Time> hop(static_cast<std::size_t>(ranks_));
    for (int r = 0; r < ranks_; ++r) hop[static_cast<std::size_t>(r)] = path(r, (r + 1) % ranks_, first);
    const int hops = (reduces ? 2 : 1) * (ranks_ - 1);
    const int sums = kernel == "all_gather" ? 0 : ranks_ - 1;
    Time longest;
    for (int from = 0; from < ranks_; ++from) {
      Time t = machine_.spec().math.startup * sums;
      for (int i = 0; i < hops; ++i) t += hop[static_cast<std::size_t>((from + i) % ranks_)];
      longest = std::max(longest, t);
    }
    add("ring", longest, fmt::format("{} hops of a block with {} B, one after the other, {} sums", hops, first, sums));
  }

  void credit() {
    Bound best{"credit", Time(), ""};
    const auto& queue = runtime_.config().queue;
    each_pair([&](int from, device::Direction port, int to) {
      const std::uint64_t messages = machine_.pe(runtime_.pe_of(from)).ipcq().use(port).messages;
      if (messages == 0 || queue.credit_mode != ccl::CreditMode::fast_path ||
          queue.credit_latency != ccl::CreditLatency::full_path)
        return;
      const Time trip = path(from, to, 0) + path(to, from, static_cast<std::uint64_t>(queue.credit_size.count()));
      const auto trips = static_cast<std::int64_t>((messages - 1) / queue.n_slots);
      if (const Time t = trip * trips; t > best.time)
        best.time = t, best.why = fmt::format("{} messages from rank {} at {} through {} slots: {} round trips of {}",
                                              messages, from, name(port), queue.n_slots, trips, to_string(trip));
    });
    if (best.time > Time()) bounds_.all.push_back(best);
  }

  Runtime& runtime_;
  device::Machine& machine_;
  Bytes n_;
  int ranks_;
  std::string_view what_;
  const fabric::Graph& graph_;
  Bounds bounds_;
};

}  // namespace

const Bound& Bounds::binding() const {
  CHECK(!all.empty(), "no bound applies");
  return *std::max_element(all.begin(), all.end(), [](const Bound& a, const Bound& b) { return a.time < b.time; });
}

Bounds run_bounds(Runtime& runtime, Bytes tensor) { return Finder(runtime, tensor).run(); }

double bus_factor(std::string_view collective, int ranks) {
  if (collective == "all_reduce") return 2.0 * (ranks - 1) / ranks;
  if (collective == "all_gather" || collective == "reduce_scatter" || collective == "all_to_all")
    return static_cast<double>(ranks - 1) / ranks;
  return 1;
}

}  // namespace tutti::host
