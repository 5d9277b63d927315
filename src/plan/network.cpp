#include "plan/network.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace tutti::plan {
namespace {

using Index = std::size_t;
Index at(int i) { return static_cast<Index>(i); }

/// For each rank and destination: the link to take. Breadth first from each destination.
std::vector<std::vector<int>> routes(const Network& n) {
  std::vector<std::vector<int>> in(at(n.ranks));
  for (Index l = 0; l < n.links.size(); ++l) in[at(n.links[l].to)].push_back(static_cast<int>(l));
  std::vector<std::vector<int>> next(at(n.ranks), std::vector<int>(at(n.ranks), -1));  // [destination][rank]
  for (int d = 0; d < n.ranks; ++d) {
    std::deque<int> open{d};
    while (!open.empty()) {
      const int v = open.front();
      open.pop_front();
      for (const int l : in[at(v)])
        if (const int u = n.links[at(l)].from; u != d && next[at(d)][at(u)] < 0) {
          next[at(d)][at(u)] = l;
          open.push_back(u);
        }
    }
  }
  return next;
}

class Estimator {
 public:
  Estimator(const Schedule& s, const Network& n, Bytes element, Protocol protocol)
      : schedule_(s), network_(n), element_(element), protocol_(protocol), next_(routes(n)), free_(n.links.size()) {}

  Time run() {
    const auto ranks = at(schedule_.collective.ranks), streams = at(schedule_.streams);
    streams_.resize(ranks * streams);
    for (Index i = 0; i < streams_.size(); ++i) {
      streams_[i].steps = schedule_.steps(static_cast<int>(i / streams), static_cast<int>(i % streams));
      streams_[i].rank = static_cast<int>(i / streams);
      advance(i, Time());
    }
    while (!events_.empty()) {
      const Event e = events_.top();
      events_.pop();
      hop(e);
    }
    for (const Stream& s : streams_)
      if (s.step) throw ConfigError(fmt::format("error: rank {} waits for ever: {}", s.rank, describe(*s.step)));
    return last_;
  }

 private:
  struct Stream {
    Generator<Step> steps;
    std::optional<Step> step = {};
    int rank = 0;
    std::int64_t number = -1;
    Time now;
    std::vector<Time> ended = {};  ///< of each step; a send: when it has left; max: on its way
  };
  struct Event {
    Time time;
    std::uint64_t sequence;
    int at, destination;
    Bytes bytes;
    Index channel, sender;
    std::int64_t step;                      ///< of the sender, while the message is still there; else -1
    bool operator<(const Event& o) const {  // the queue's top is the earliest
      return time != o.time ? o.time < time : o.sequence < sequence;
    }
  };
  struct Channel {
    std::deque<std::optional<Time>> arrived;  ///< messages in order of sending, from the first not received
    std::uint64_t first = 0, sent = 0;
    Index waiting = SIZE_MAX;  ///< stream
  };

  Index channel(int from, int to, int number) {
    const auto [found, fresh] = index_.emplace(std::tuple(from, to, number), channels_.size());
    if (fresh) channels_.emplace_back();
    return found->second;
  }

  /// Executes steps of a stream until it must wait.
  void advance(Index i, Time now) {
    Stream& s = streams_[i];
    s.now = std::max(s.now, now);
    for (;;) {
      if (!s.step) {
        const Step* next = s.steps.next();
        if (!next) break;
        s.step = *next;
        ++s.number;
      }
      const Step& step = *s.step;
      if (step.after_stream >= 0) {
        const Index other = at(s.rank) * at(schedule_.streams) + at(step.after_stream);
        const auto n = static_cast<Index>(step.after_step);
        if (streams_[other].ended.size() <= n || streams_[other].ended[n] == Time::max()) {
          waiters_[{other, n}].push_back(i);
          return;
        }
        s.now = std::max(s.now, streams_[other].ended[n]);
      }
      Time end = s.now;
      if (step.moves() && step.sends()) {
        const Index c = channel(s.rank, step.peer, step.channel);
        channels_[c].arrived.emplace_back();
        ++channels_[c].sent;
        events_.push({s.now, sequence_++, s.rank, step.peer,
                      wire_bytes(protocol_, Bytes(step.count() * element_.count())), c, i, s.number});
        message_of_[sequence_ - 1] = channels_[c].sent - 1;
        end = Time::max();
      } else if (step.moves() && step.receives()) {
        Channel& c = channels_[channel(step.peer, s.rank, step.channel)];
        if (c.arrived.empty() || !c.arrived.front()) {
          c.waiting = i;
          return;
        }
        s.now = end = std::max(s.now, *c.arrived.front());
        c.arrived.pop_front(), ++c.first;
      }
      s.ended.push_back(end);
      const std::int64_t number = s.number;
      s.step.reset();
      if (end != Time::max()) wake(i, static_cast<Index>(number), end);
    }
    last_ = std::max(last_, s.now);
  }
  void wake(Index stream, Index step, Time when) {
    const auto found = waiters_.find({stream, step});
    if (found == waiters_.end()) return;
    const auto all = std::move(found->second);
    waiters_.erase(found);
    for (const Index i : all) advance(i, when);
  }
  void hop(Event e) {
    const std::uint64_t id = e.sequence;
    if (e.at == e.destination) {
      Channel& c = channels_[e.channel];
      c.arrived[message_of_[id] - c.first] = e.time;
      message_of_.erase(id);
      if (c.waiting != SIZE_MAX) advance(std::exchange(c.waiting, SIZE_MAX), e.time);
      return;
    }
    const int l = next_[at(e.destination)][at(e.at)];
    CHECK(l >= 0, "the network is not connected");
    const Network::Link& link = network_.links[at(l)];
    const Time start = std::max(e.time, free_[at(l)]), end = start + link.cost(e.bytes);
    free_[at(l)] = end;
    if (e.step >= 0) {
      streams_[e.sender].ended[static_cast<Index>(e.step)] = end;
      last_ = std::max(last_, end);
    }
    const std::int64_t step = std::exchange(e.step, -1);
    e.time = end, e.at = link.to;
    events_.push(e);
    if (step >= 0) wake(e.sender, static_cast<Index>(step), end);
  }

  const Schedule& schedule_;
  const Network& network_;
  Bytes element_;
  Protocol protocol_;
  std::vector<std::vector<int>> next_;
  std::vector<Time> free_;
  std::deque<Stream> streams_;
  std::deque<Channel> channels_;
  std::map<std::tuple<int, int, int>, Index> index_;
  std::map<std::pair<Index, Index>, std::vector<Index>> waiters_;
  std::map<std::uint64_t, std::uint64_t> message_of_;
  std::priority_queue<Event> events_;
  std::uint64_t sequence_ = 0;
  Time last_;
};

}  // namespace

bool Network::connected() const {
  for (const bool forward : {true, false}) {
    std::vector<std::vector<int>> to(at(ranks));
    for (const Link& l : links) to[at(forward ? l.from : l.to)].push_back(forward ? l.to : l.from);
    std::vector<bool> seen(at(ranks));
    std::vector<int> open{0};
    seen[0] = true;
    while (!open.empty()) {
      const int v = open.back();
      open.pop_back();
      for (const int u : to[at(v)])
        if (!seen[at(u)]) seen[at(u)] = true, open.push_back(u);
    }
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) return false;
  }
  return true;
}

Network ring_network(int ranks, const Network::Link& like) {
  Network n{ranks, {}};
  for (int r = 0; r + 1 < ranks; ++r) n.join(r, r + 1, like);
  if (ranks > 2) n.join(ranks - 1, 0, like);
  return n;
}

Network mesh_network(int rows, int columns, bool wraps, const Network::Link& like) {
  Network n{rows * columns, {}};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      if (c + 1 < columns) n.join(r * columns + c, r * columns + c + 1, like);
      if (r + 1 < rows) n.join(r * columns + c, (r + 1) * columns + c, like);
    }
  if (wraps && columns > 2)
    for (int r = 0; r < rows; ++r) n.join(r * columns + columns - 1, r * columns, like);
  if (wraps && rows > 2)
    for (int c = 0; c < columns; ++c) n.join((rows - 1) * columns + c, c, like);
  return n;
}

Network complete_network(int ranks, const Network::Link& like) {
  Network n{ranks, {}};
  for (int a = 0; a < ranks; ++a)
    for (int b = a + 1; b < ranks; ++b) n.join(a, b, like);
  return n;
}

Network irregular_network(int ranks, int more, std::uint64_t seed, const Network::Link& like) {
  Network n{ranks, {}};
  Random random(seed);
  const auto draw = [&](int below) { return static_cast<int>(random.below(static_cast<std::uint64_t>(below))); };
  const auto add = [&](int a, int b) {
    Network::Link l = like;
    if (random.below(4) == 0) l.bandwidth = Bandwidth::bits_per_second(like.bandwidth.bits_per_second() / 2);
    n.join(a, b, l);
  };
  for (int r = 1; r < ranks; ++r) add(r, draw(r));
  for (int i = 0; i < more && ranks > 1; ++i) {
    const int a = draw(ranks), b = (a + 1 + draw(ranks - 1)) % ranks;
    add(a, b);
  }
  return n;
}

Time estimate(const Schedule& schedule, const Network& network, Bytes element, Protocol protocol) {
  CHECK(schedule.collective.ranks == network.ranks, "a schedule of other ranks than the network's");
  return Estimator(schedule, network, element, protocol).run();
}

}  // namespace tutti::plan
