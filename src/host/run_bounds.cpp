#include "host/run_bounds.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/error.h"
#include "ccl/helpers.h"
#include "fabric/limits.h"
#include "host/ports.h"
#include "plan/bounds.h"

namespace tutti::host {
namespace {

class Finder {
 public:
  Finder(Runtime& runtime, Bytes tensor, int root, Bytes element)
      : runtime_(runtime),
        machine_(runtime.machine()),
        n_(tensor),
        root_(root),
        element_(element),
        ranks_(runtime.world_size()),
        what_(runtime.algorithm().collective),
        graph_(machine_.fabric().graph()) {}

  Bounds run() {
    if (ranks_ < 2) return bounds_;
    if (runtime_.planned()) {
      graph();
    } else if (n_ == Bytes() || !graph()) {
      latency();
    }
    if (what_ != "barrier" && n_ > Bytes()) {
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
      for (std::size_t d = 0; d < pe.ipcq().ports(); ++d)
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

  /// What the graph asks of the collective; false if the kind is none of those that it is stated for.
  bool graph() {
    plan::BoundInput in;
    if (const Planned* planned = runtime_.planned()) {
      in.collective = planned->schedule.collective;
      in.element = element_;
      return add(in);
    }
    constexpr std::string_view known[] = {"all_reduce", "all_gather", "reduce_scatter",
                                          "all_to_all", "broadcast",  "reduce"};
    if (std::find(std::begin(known), std::end(known), what_) == std::end(known)) return false;
    in.collective.kind = plan::collective_kind(what_);
    in.collective.ranks = ranks_;
    in.collective.count = n_.count();
    in.collective.root = root_;
    return add(in);
  }
  bool add(plan::BoundInput& in) {
    const auto& ipcq = machine_.spec().ipcq;
    in.issue = ipcq.send;
    in.message = ipcq.send + ipcq.meta + ipcq.recv;
    std::vector<fabric::NodeId> nodes;
    for (int r = 0; r < ranks_; ++r) nodes.push_back(machine_.pe(runtime_.pe_of(r)).node());
    for (plan::Bound& b : plan::lower_bounds(in, fabric::graph_limits(graph_, nodes)))
      bounds_.all.push_back({std::move(b.name), b.time, std::move(b.why)});
    return true;
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
  int root_;
  Bytes element_;
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

Bounds run_bounds(Runtime& runtime, Bytes tensor, int root, Bytes element) {
  return Finder(runtime, tensor, root, element).run();
}

double bus_factor(std::string_view collective, int ranks) {
  if (collective == "all_reduce") return 2.0 * (ranks - 1) / ranks;
  if (collective == "all_gather" || collective == "reduce_scatter" || collective == "all_to_all")
    return static_cast<double>(ranks - 1) / ranks;
  return 1;
}

}  // namespace tutti::host
