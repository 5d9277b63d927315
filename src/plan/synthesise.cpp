#include "plan/synthesise.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <queue>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace tutti::plan {
namespace {

using Index = std::size_t;
Index at(int i) { return static_cast<Index>(i); }

struct Transfer {
  Time start, end;
  int link, chunk;
};

/// Which chunks a rank has, or is about to have: 64 in a word.
using Set = std::vector<std::uint64_t>;
void put(Set& s, int chunk) { s[at(chunk) / 64] |= std::uint64_t{1} << (at(chunk) % 64); }

/// The all-gather, as transfers in the order in which they end.
class Gather {
 public:
  Gather(const Network& network, std::vector<Bytes> sizes, int chunks_of_rank, std::uint64_t seed)
      : network_(network), sizes_(std::move(sizes)), random_(seed) {
    const Index words = (sizes_.size() + 63) / 64;
    here_.assign(at(network.ranks), Set(words));
    coming_ = here_;
    out_.resize(here_.size());
    for (Index l = 0; l < network.links.size(); ++l) out_[at(network.links[l].from)].push_back(static_cast<int>(l));
    busy_.assign(network.links.size(), false);
    for (Index c = 0; c < sizes_.size(); ++c) {
      const Index owner = c / at(chunks_of_rank);
      put(here_[owner], static_cast<int>(c)), put(coming_[owner], static_cast<int>(c));
    }
    missing_ = static_cast<std::int64_t>(sizes_.size()) * (network.ranks - 1);
  }

  std::vector<Transfer> run() {
    for (int l = 0; l < static_cast<int>(network_.links.size()); ++l) start(l, Time());
    std::vector<Transfer> done;
    done.reserve(static_cast<Index>(missing_));
    while (!ends_.empty()) {
      // All that ends now is there before anything starts, so that the choice is the widest.
      const Time now = ends_.top().end;
      const Index first = done.size();
      while (!ends_.empty() && ends_.top().end == now) {
        const Transfer t = ends_.top();
        ends_.pop();
        done.push_back(t);
        busy_[at(t.link)] = false;
        put(here_[at(network_.links[at(t.link)].to)], t.chunk);
      }
      for (Index i = first; i < done.size(); ++i) {
        if (!busy_[at(done[i].link)]) start(done[i].link, now);
        for (const int l : out_[at(network_.links[at(done[i].link)].to)])
          if (!busy_[at(l)]) start(l, now);
      }
    }
    CHECK(missing_ == 0, "a connected network leaves nothing out");
    return done;
  }

 private:
  struct Later {
    bool operator()(const Transfer& a, const Transfer& b) const {
      return a.end != b.end ? b.end < a.end : b.link < a.link;
    }
  };

  void start(int l, Time now) {
    const Network::Link& link = network_.links[at(l)];
    const Set &have = here_[at(link.from)], &need = coming_[at(link.to)];
    const Index words = have.size(), begin = random_.below(words);
    for (Index i = 0; i < words; ++i) {
      const Index w = (begin + i) % words;
      std::uint64_t some = have[w] & ~need[w];
      if (some == 0) continue;
      const int turn = static_cast<int>(random_.below(64));
      const int bit = (std::countr_zero(std::rotr(some, turn)) + turn) % 64;
      const int chunk = static_cast<int>(w * 64) + bit;
      put(coming_[at(link.to)], chunk);
      --missing_;
      busy_[at(l)] = true;
      ends_.push({now, now + link.cost(sizes_[at(chunk)]), l, chunk});
      return;
    }
  }

  const Network& network_;
  std::vector<Bytes> sizes_;
  Random random_;
  std::vector<Set> here_, coming_;
  std::vector<std::vector<int>> out_;
  std::vector<bool> busy_;
  std::priority_queue<Transfer, std::vector<Transfer>, Later> ends_;
  std::int64_t missing_ = 0;
};

/// What a rank does, compactly: its receives in the order in which they end, and its sends of each link in the order in
/// which they begin. Streams are made of it step by step.
struct Move {
  int chunk;
  int line;                     ///< of the rank: which peer and channel
  std::int32_t after = -1;      ///< send: after this receive of the rank; receive: after this send of its line
  std::int32_t after_line = 0;  ///< receive: after a send of this line
  bool reduces = false;
};
struct Line {
  int peer = 0, channel = 0;
};
struct RankPlan {
  std::vector<Line> in, out;
  std::vector<Move> receives;
  std::vector<std::vector<Move>> sends;  ///< by line
};
struct Made {
  std::vector<RankPlan> ranks;
  std::vector<Interval> chunks;
  Buffer buffer = Buffer::output;  ///< reduce_scatter: sums are formed in the input
};

Generator<Step> steps_of(std::shared_ptr<const Made> made, Index rank, Index stream) {
  const RankPlan& r = made->ranks[rank];
  const auto place = [&](int chunk) { return slice(made->buffer, made->chunks[at(chunk)]); };
  if (stream == 0) {
    for (const Move& m : r.receives) {
      const Line& line = r.in[at(m.line)];
      Step s = m.reduces ? receive_reduce(line.peer, place(m.chunk), line.channel)
                         : receive(line.peer, place(m.chunk), line.channel);
      co_yield m.after >= 0 ? after(s, m.after_line + 1, m.after) : s;
    }
  } else if (stream <= r.out.size()) {
    const Line& line = r.out[stream - 1];
    for (const Move& m : r.sends[stream - 1]) {
      const Step s = send(line.peer, place(m.chunk), line.channel);
      co_yield m.after >= 0 ? after(s, 0, m.after) : s;
    }
  }
}

/// A transfer in time, whichever phase it belongs to.
struct Timed {
  Transfer transfer;
  int from, to;
  Index link;
  bool reduces;
};

}  // namespace

Schedule synthesise(const Collective& c, const Network& network, Bytes element, const Synthesis& settings) {
  using enum CollectiveKind;
  if (c.kind != all_gather && c.kind != reduce_scatter && c.kind != all_reduce)
    throw ConfigError(
        fmt::format("error: {} cannot be synthesised; all_gather, reduce_scatter, all_reduce can", name(c.kind)));
  if (c.ranks != network.ranks)
    throw ConfigError(fmt::format("error: {} ranks on a network of {}", c.ranks, network.ranks));
  if (!network.connected()) throw ConfigError("error: the network is not connected");
  if (settings.chunks < 1) throw ConfigError("error: at least 1 chunk a rank");
  auto made = std::make_shared<Made>();
  if (c.kind == reduce_scatter) made->buffer = Buffer::input;
  std::vector<Bytes> sizes;
  for (int r = 0; r < c.ranks; ++r)
    for (int i = 0; i < settings.chunks; ++i) {
      const Interval own = part(c.count, c.ranks, r), chunk = part(own.count, settings.chunks, i);
      made->chunks.push_back({own.begin + chunk.begin, chunk.count});
      sizes.push_back(Bytes(chunk.count * element.count()));
    }

  std::vector<Timed> all;
  if (c.kind != all_gather) {  // backwards in time, on links turned around
    Network reversed = network;
    for (auto& l : reversed.links) std::swap(l.from, l.to);
    const auto gather = Gather(reversed, sizes, settings.chunks, settings.seed).run();
    const Time end = gather.empty() ? Time() : gather.back().end;
    for (const Transfer& t : gather) {
      const auto& l = network.links[at(t.link)];
      all.push_back({{end - t.end, end - t.start, t.link, t.chunk}, l.from, l.to, at(t.link), true});
    }
  }
  if (c.kind != reduce_scatter) {
    Time begin;
    for (const Timed& t : all) begin = std::max(begin, t.transfer.end);
    for (const Transfer& t : Gather(network, sizes, settings.chunks, settings.seed + 1).run()) {
      const auto& l = network.links[at(t.link)];
      all.push_back({{begin + t.start, begin + t.end, t.link, t.chunk}, l.from, l.to, at(t.link), false});
    }
  }

  made->ranks.resize(at(c.ranks));
  std::vector<int> out_line, in_line;  // by link
  for (const auto& l : network.links) {
    RankPlan &from = made->ranks[at(l.from)], &to = made->ranks[at(l.to)];
    int channel = 0;
    for (const Line& line : from.out) channel += line.peer == l.to;
    out_line.push_back(static_cast<int>(from.out.size())), in_line.push_back(static_cast<int>(to.in.size()));
    from.out.push_back({l.to, channel}), to.in.push_back({l.from, channel});
    from.sends.emplace_back();
  }
  // Receives first, in the order of their ends; the last receive of each chunk is what a later send waits for.
  std::stable_sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) {
    return a.transfer.end != b.transfer.end ? a.transfer.end < b.transfer.end : a.link < b.link;
  });
  struct Event {
    Time time;
    bool send;
    const Timed* what;
  };
  std::vector<Event> events;
  for (const Timed& t : all)
    events.push_back({t.transfer.end, false, &t}), events.push_back({t.transfer.start, true, &t});
  // What ends at a time is there for what begins at it.
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time != b.time ? a.time < b.time : a.send < b.send; });
  struct Last {
    std::int32_t receive = -1, send = -1, line = 0;
  };
  std::vector<std::vector<Last>> last(at(c.ranks), std::vector<Last>(sizes.size()));
  for (const Event& e : events) {
    const Timed& t = *e.what;
    const int chunk = t.transfer.chunk;
    if (e.send) {
      RankPlan& r = made->ranks[at(t.from)];
      Last& l = last[at(t.from)][at(chunk)];
      auto& sends = r.sends[at(out_line[t.link])];
      sends.push_back({chunk, out_line[t.link], l.receive, 0, false});
      l.send = static_cast<std::int32_t>(sends.size()) - 1, l.line = out_line[t.link];
    } else {
      RankPlan& r = made->ranks[at(t.to)];
      Last& l = last[at(t.to)][at(chunk)];
      r.receives.push_back({chunk, in_line[t.link], l.send, l.line, t.reduces});
      l.receive = static_cast<std::int32_t>(r.receives.size()) - 1, l.send = -1;
    }
  }

  Schedule s;
  s.algorithm = fmt::format("synthesised_{}", name(c.kind));
  s.collective = c;
  s.in_place = true;
  for (const RankPlan& r : made->ranks) s.streams = std::max(s.streams, 1 + static_cast<int>(r.out.size()));
  s.steps = [made](int rank, int stream) { return steps_of(made, at(rank), static_cast<Index>(stream)); };
  return s;
}

Time synthesis_bound(const Collective& c, const Network& network, Bytes element, int chunks) {
  const std::int64_t smallest = c.count / c.ranks / chunks * element.count();
  Time bound;
  for (int r = 0; r < c.ranks; ++r) {
    // Each link brings a chunk in each cost() at the most.
    std::vector<Time> costs;
    for (const auto& l : network.links)
      if ((c.kind == CollectiveKind::reduce_scatter ? l.from : l.to) == r) costs.push_back(l.cost(Bytes(smallest)));
    const std::int64_t wanted = std::int64_t{c.ranks - 1} * chunks;
    const auto enough = [&](Time t) {
      std::int64_t n = 0;
      for (const Time cost : costs) n += cost > Time() ? t.ps() / cost.ps() : wanted;
      return n >= wanted;
    };
    if (costs.empty()) continue;
    Time low, high = *std::max_element(costs.begin(), costs.end()) * wanted;
    while (low < high) {
      const Time middle = Time::ps(low.ps() + (high - low).ps() / 2);
      if (enough(middle))
        high = middle;
      else
        low = middle + Time::ps(1);
    }
    bound = std::max(bound, low);
  }
  return c.kind == CollectiveKind::all_reduce ? bound * 2 : bound;
}

}  // namespace tutti::plan
