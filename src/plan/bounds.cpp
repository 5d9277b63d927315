#include "plan/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "plan/demand.h"

namespace tutti::plan {
namespace {

__extension__ using Wide = __int128;

/// elements x element / rate, rounded down.
Time floor_time(Wide bytes, Bandwidth rate) {
  const Wide ps = bytes * 8 * 1'000'000'000'000 / rate.bits_per_second();
  return ps > INT64_MAX ? Time::max() : Time::ps(static_cast<std::int64_t>(ps));
}

Bandwidth sum(const std::vector<Bandwidth>& all) {
  std::int64_t bits = 0;
  for (const Bandwidth b : all) bits += b.bits_per_second();
  return Bandwidth::bits_per_second(bits);
}

/// Every rank's result depends on every rank's input, if there is any.
bool all_to_all_dependence(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::barrier:
      return true;
    default:
      return false;
  }
}

bool rooted(CollectiveKind kind) {
  return kind == CollectiveKind::reduce || kind == CollectiveKind::broadcast || kind == CollectiveKind::gather ||
         kind == CollectiveKind::scatter;
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce || kind == CollectiveKind::reduce_scatter;
}

class Bounds {
 public:
  Bounds(const BoundInput& in, const GraphLimits& limits) : in_(in), limits_(limits), c_(in.collective) {
    CHECK(limits.ranks == c_.ranks, "bounds of another number of ranks");
    total_ = Wide{total_demand(c_)} * in.element.count();
  }

  std::vector<Bound> all() {
    if (c_.ranks > 1) {
      latency();
      if (total_ > 0) {
        traffic();
        cuts();
        rates();
      }
    }
    if (bounds_.empty()) bounds_.push_back({"latency", Time(), "nothing must travel"});
    return std::move(bounds_);
  }

 private:
  void add(const char* name, Time time, std::string why) { bounds_.push_back({name, time, std::move(why)}); }
  std::string bytes(Wide n) const { return to_string(Bytes(static_cast<std::int64_t>(n))); }

  void latency() {
    const bool dense = all_to_all_dependence(c_.kind), empty = total_ == 0 && c_.kind != CollectiveKind::barrier;
    // With fewer elements than ranks, some parts are empty and their ranks need nothing.
    const bool parts = c_.kind != CollectiveKind::all_reduce && c_.kind != CollectiveKind::reduce &&
                       c_.kind != CollectiveKind::broadcast && c_.kind != CollectiveKind::barrier;
    const Time hop = limits_.cheapest + in_.message;
    if (empty) return;
    if ((dense || rooted(c_.kind)) && !(parts && c_.count < c_.ranks)) {
      const Time t = dissemination_time(c_.ranks, hop, in_.issue);
      add("latency", t,
          fmt::format("all {} ranks depend on one: messages of {} at least, one each {} from a rank", c_.ranks,
                      to_string(hop), to_string(in_.issue)));
      if (dense) add("distance", limits_.farthest + in_.message, "the farthest ranks depend on each other");
    } else {
      add("latency", hop, "one message between the nearest ranks");
    }
  }

  void traffic() {
    const Bandwidth out = sum(limits_.out), in = sum(limits_.in);
    const Bandwidth rate = std::min(out, in);
    add("bandwidth", floor_time(total_, rate),
        fmt::format("{} in all out of {} ranks at {} together", bytes(total_), c_.ranks, to_string(rate)));
    Bound injection{"injection", Time(), ""};
    for (int r = 0; r < c_.ranks; ++r) {
      const auto i = static_cast<std::size_t>(r);
      std::vector<bool> alone(static_cast<std::size_t>(c_.ranks));
      if (c_.kind == CollectiveKind::all_reduce && r > 0 && limits_.out[i] >= limits_.out[0] &&
          limits_.in[i] >= limits_.in[0])
        continue;  // asks no more of its ports than rank 0
      alone[i] = true;
      const Demand d = cut_demand(c_, alone);
      consider(injection, d.out, limits_.out[i], fmt::format("out of rank {}", r));
      consider(injection, d.in, limits_.in[i], fmt::format("into rank {}", r));
    }
    if (!injection.why.empty()) bounds_.push_back(injection);
    if (limits_.all_links > Bandwidth())
      add("volume", floor_time(total_ * limits_.fewest_links, limits_.all_links),
          fmt::format("{} over {} links at least; all links carry {}", bytes(total_), limits_.fewest_links,
                      to_string(limits_.all_links)));
  }

  void consider(Bound& best, std::int64_t elements, Bandwidth rate, const std::string& where) {
    const Wide size = Wide{elements} * in_.element.count();
    if (size == 0) return;
    const Time t = rate == Bandwidth() ? Time::max() : floor_time(size, rate);
    if (best.why.empty() || t > best.time) {
      best.time = t;
      best.why = fmt::format("{} {} at {}", bytes(size), where, to_string(rate));
    }
  }

  void cuts() {
    Bound best{"cut", Time(), ""};
    std::vector<bool> inside(static_cast<std::size_t>(c_.ranks));
    for (const Cut& cut : limits_.cuts) {
      for (const int r : cut.inside) inside[static_cast<std::size_t>(r)] = true;
      const Demand d = cut_demand(c_, inside);
      consider(best, d.out, cut.out, "out of " + cut.name);
      consider(best, d.in, cut.in, "into " + cut.name);
      for (const int r : cut.inside) inside[static_cast<std::size_t>(r)] = false;
    }
    if (!best.why.empty()) bounds_.push_back(best);
  }

  /// Of the rank that sends most: at least the mean.
  void rates() {
    const Wide mean = (total_ + c_.ranks - 1) / c_.ranks;
    if (in_.memory)
      add("memory", floor_time(total_ * in_.memory->sharers / c_.ranks, in_.memory->rate),
          fmt::format("{} into the slots of each of {} ranks that share {}", bytes(mean), in_.memory->sharers,
                      to_string(in_.memory->rate)));
    if (in_.credit && in_.credit->slot > Bytes()) {
      const auto& q = *in_.credit;
      const Wide slot = q.slot.count(), messages = (mean + slot - 1) / slot;
      const Wide busiest = (messages + q.ports - 1) / q.ports;
      const Wide windows = (busiest - 1) / q.slots;
      add("credit", q.round_trip * static_cast<std::int64_t>(windows),
          fmt::format("{} messages of {} on a queue pair with {} slots, a round trip of {} each window",
                      static_cast<std::int64_t>(busiest), to_string(q.slot), q.slots, to_string(q.round_trip)));
      if (in_.issue > Time())
        add("message_rate", in_.issue * static_cast<std::int64_t>(messages),
            fmt::format("{} messages of {} from a rank, one each {}", static_cast<std::int64_t>(messages),
                        to_string(q.slot), to_string(in_.issue)));
    }
    if (in_.reduction && reduces(c_.kind)) {
      const Wide operands = Wide{c_.ranks - 1} * c_.count * in_.element.count();
      add("reduction", floor_time(operands / c_.ranks, *in_.reduction),
          fmt::format("{} to reduce, spread over {} ranks at {}", bytes(operands), c_.ranks,
                      to_string(*in_.reduction)));
    }
  }

  const BoundInput& in_;
  const GraphLimits& limits_;
  const Collective& c_;
  Wide total_ = 0;
  std::vector<Bound> bounds_;
};

}  // namespace

std::vector<Bound> lower_bounds(const BoundInput& input, const GraphLimits& limits) {
  return Bounds(input, limits).all();
}

const Bound& binding(const std::vector<Bound>& bounds) {
  CHECK(!bounds.empty(), "no bounds");
  return *std::max_element(bounds.begin(), bounds.end(),
                           [](const Bound& a, const Bound& b) { return a.time < b.time; });
}

Time dissemination_time(std::int64_t ranks, Time latency, Time gap) {
  if (ranks <= 1) return {};
  if (latency == Time() || gap == Time()) return latency;
  // A rank that knows at time t starts one that knows at t + latency, t + latency + gap, ... Each entry of `next` is a
  // rank's next message: when it arrives.
  std::int64_t count = 1;
  std::vector<Time> next{latency};
  const auto later = [](Time a, Time b) { return a > b; };
  Time now;
  while (count < ranks) {
    std::pop_heap(next.begin(), next.end(), later);
    now = next.back();
    next.back() = now + gap;
    std::push_heap(next.begin(), next.end(), later);
    next.push_back(now + latency);
    std::push_heap(next.begin(), next.end(), later);
    ++count;
  }
  return now;
}

Bandwidth credit_rate(const BoundInput::Credit& credit) {
  if (credit.round_trip == Time()) return Bandwidth::bits_per_second(INT64_MAX);
  const Wide bits = Wide{credit.slots} * credit.slot.count() * 8 * 1'000'000'000'000 / credit.round_trip.ps();
  return Bandwidth::bits_per_second(bits > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(bits));
}

double flit_efficiency(std::int64_t bytes) {
  if (bytes <= 0) return 0.0;
  const std::int64_t flits = bytes <= 52 ? 1 : 1 + (bytes - 52 + 59) / 60;
  return static_cast<double>(bytes) / static_cast<double>(64 * flits);
}

double bus_factor(CollectiveKind kind, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2 * others;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return others;
    default:
      return 1.0;
  }
}

AllReduceBounds all_reduce_bounds(int ranks, Bytes bytes, Time cheapest_latency, Bandwidth rate) {
  CHECK(ranks >= 1 && bytes >= Bytes() && rate > Bandwidth(), "a bound needs a rank, a size and a rate");
  const Wide ps =
      Wide{2} * (ranks - 1) * bytes.count() * 8 * 1'000'000'000'000 / (Wide{ranks} * rate.bits_per_second());
  return {cheapest_latency * std::bit_width(static_cast<unsigned>(ranks - 1)),
          ps > INT64_MAX ? Time::max() : Time::ps(static_cast<std::int64_t>(ps))};
}

}  // namespace tutti::plan
