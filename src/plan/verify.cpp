#include "plan/verify.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/machine.h"

namespace tutti::plan {

using Wait = StreamState::Wait;

std::string Machine::where(const StreamState& s) const {
  return fmt::format("rank {} stream {} step {} ({})", s.rank, s.index, s.number, describe(s.now));
}

void Machine::refute(const StreamState& s, const std::string& why) const {
  throw Refuted(fmt::format("{}: {}", where(s), why));
}

/// The stream that must move for `s` to go on; null if its rank has ended.
StreamState* Machine::waits_for(const StreamState& s) {
  const auto some = [&](int rank, int likely) -> StreamState* {
    if (likely >= 0 && !stream(rank, likely).ended) return &stream(rank, likely);
    for (int i = 0; i < width_; ++i)
      if (!stream(rank, i).ended) return &stream(rank, i);
    return nullptr;
  };
  if (s.wait == Wait::step) return &stream(s.rank, s.now.after_stream);
  if (s.wait == Wait::message) return some(s.waits_on->from, s.waits_on->sender);
  return some(s.waits_on->to, s.waits_on->receiver);
}

std::string Machine::cycle() {
  const auto line = [&](const StreamState& s) {
    const Connection* c = s.waits_on;
    switch (s.wait) {
      case Wait::step:
        return fmt::format("{} waits for step {} of stream {}", where(s), s.now.after_step, s.now.after_stream);
      case Wait::message:
        return fmt::format("{} waits for a message", where(s));
      default:
        return fmt::format("{} waits for a free slot at rank {} on channel {}, which has {} of {} full", where(s),
                           c->to, c->channel, c->in_flight, target_.slots);
    }
  };
  std::vector<StreamState*> chain;
  for (StreamState& s : streams_)
    if (!s.ended) {
      chain.push_back(&s);
      break;
    }
  for (;;) {
    StreamState* next = waits_for(*chain.back());
    if (!next) return fmt::format("{}; the other rank has ended and never answers", line(*chain.back()));
    const auto seen = std::find(chain.begin(), chain.end(), next);
    if (seen != chain.end()) {
      std::string out = "these wait for each other:";
      for (auto i = seen; i != chain.end(); ++i) out += "\n  " + line(**i);
      return out;
    }
    chain.push_back(next);
  }
}

void Machine::check_end() {
  for (const StreamState& s : streams_)
    if (!s.ended) throw Refuted(cycle());
  std::vector<const Connection*> left;
  for (const auto& [key, c] : connections_)
    if (!c->queue.empty()) left.push_back(c.get());
  const auto place_of = [](const Connection* c) { return std::tuple(c->from, c->to, c->channel); };
  std::sort(left.begin(), left.end(), [&](auto* a, auto* b) { return place_of(a) < place_of(b); });
  if (!left.empty()) {
    const Connection& c = *left.front();
    throw Refuted(fmt::format(
        "rank {} stream {} step {} sends {} elements to rank {} on channel {}, which never receives them", c.from,
        c.queue.front().sent.stream, c.queue.front().sent.step, c.queue.front().count, c.to, c.channel));
  }
  for (int r = 0; r < ranks_; ++r) check_output(r);
}

void Machine::check_output(int rank) {
  StreamState probe;
  probe.rank = rank;
  for (const Content& want : schedule_.collective.expected(rank)) {
    if (want.where.count == 0) continue;
    const Place p = place(probe, slice(Buffer::output, want.where));
    const Contributions::Id all = contributions_.of(want.from);
    for (const Piece& x : p.image->read(p.begin, want.where.count)) {
      const std::int64_t element = want.where.begin + x.offset, label = want.label + x.offset;
      if (x.from == 0) throw Refuted(fmt::format("rank {} ends with output[{}] never written", rank, element));
      if (x.label != label)
        throw Refuted(
            fmt::format("rank {} ends with element {} in output[{}], not element {}", rank, x.label, element, label));
      if (const auto missing = contributions_.first_missing(all, x.from))
        throw Refuted(
            fmt::format("rank {} ends with output[{}] without the contribution of rank {}; it has those of {}", rank,
                        element, *missing, contributions_.describe(x.from)));
      if (const auto extra = contributions_.first_missing(x.from, all))
        throw Refuted(
            fmt::format("rank {} ends with output[{}] with the contribution of rank {}, which does not belong there",
                        rank, element, *extra));
    }
  }
  if (schedule_.collective.kind != CollectiveKind::barrier) return;
  for (int other = 0; other < ranks_; ++other) {
    bool known = other == rank;
    for (int mine = 0; mine < width_; ++mine)
      for (int i = 0; i < width_; ++i) known = known || stream(rank, mine).clock[entry(other, i)] > 0;
    if (!known) throw Refuted(fmt::format("rank {} may end before rank {} has begun", rank, other));
  }
}

Proof verify(const Schedule& schedule, const Target& target) {
  Proof proof;
  const auto run = [&](Ordering ordering) {
    bool shared = false;
    try {
      Machine machine(schedule, target, ordering);
      const auto keep = [&] { shared = machine.shared; };
      try {
        machine.run();
      } catch (...) {
        keep();
        throw;
      }
      keep();
      proof.steps = machine.steps, proof.messages = machine.messages;
    } catch (const Refuted& r) {
      proof.counter_example = r.what();
    }
    return shared;
  };
  // Clocks cost much, and only tell whether accesses to the same elements are ordered: later runs find that. What a
  // rank alone orders needs no clocks of all.
  if (run(Ordering::none)) {
    proof.counter_example.clear();
    run(Ordering::local);
    if (!proof.counter_example.empty()) proof.counter_example.clear(), run(Ordering::full);
  }
  proof.holds = proof.counter_example.empty();
  return proof;
}

}  // namespace tutti::plan
