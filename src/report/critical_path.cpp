#include "report/critical_path.h"

#include <algorithm>

#include <fmt/format.h>

namespace tutti::report {
namespace {

/// Something that a rank had to have before it could go on, at `at`.
struct Event {
  Time at;
  enum class Kind : std::uint8_t { slice, message, credit } kind;
  std::size_t index;
};

class Walk {
 public:
  explicit Walk(const Record& r) : r_(r), events_(r.ranks.size()) {
    const auto& slices = r.slices.rows();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const Slice& s = slices[i];
      // Waits are explained by what ended them.
      if (s.end == never || s.activity == Activity::wait_data || s.activity == Activity::receive) continue;
      if (s.activity == Activity::wait_credit) continue;
      if (s.end > s.begin) events_[rank(s.rank)].push_back({s.end, Event::Kind::slice, i});
    }
    const auto& messages = r.messages.rows();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Message& m = messages[i];
      if (m.arrived == never || m.arrived <= m.posted) continue;
      events_[rank(m.destination)].push_back({m.arrived, Event::Kind::message, i});
      if (m.credited != never && m.released != never && stalled(m))
        events_[rank(m.source)].push_back({m.credited, Event::Kind::credit, i});
    }
    for (auto& of_rank : events_)
      std::stable_sort(of_rank.begin(), of_rank.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  }

  std::vector<PathRow> path(std::size_t from, Time end) {
    std::size_t at_rank = from;
    Time at = end;
    while (at > Time()) {
      auto& events = events_[at_rank];
      while (!events.empty() && events.back().at > at) events.pop_back();
      if (events.empty()) {
        step(at_rank, "kernel", Time(), at, "until its first message");
        break;
      }
      const Event e = events.back();
      events.pop_back();
      step(at_rank, "kernel", e.at, at, "commands and queues");
      at = e.at;
      if (e.kind == Event::Kind::slice) {
        const Slice& s = r_.slices.rows()[e.index];
        // A collective is explained by its messages, if there were any in it.
        const bool inside = !events.empty() && events.back().kind == Event::Kind::message && events.back().at > s.begin;
        const bool communicates = s.activity == Activity::collective || s.activity == Activity::send;
        if (communicates && inside) continue;
        step(at_rank, to_string(s.activity), s.begin, at, r_.names[s.name]);
        at = s.begin;
      } else {
        const Message& m = r_.messages.rows()[e.index];
        if (e.kind == Event::Kind::credit) {
          step(at_rank, "credit", m.released, at,
               fmt::format("slot {} given back by rank {}", r_.names[m.queue], m.destination));
          at = m.released, at_rank = rank(m.destination);
        } else {
          cross(at_rank, m);
          at = m.posted, at_rank = rank(m.source);
        }
      }
    }
    return std::move(path_);
  }

 private:
  static std::size_t rank(std::int32_t r) { return static_cast<std::size_t>(r); }

  /// A send of the same ring waited for this message's slot: a wait of its sender ended when its credit came.
  bool stalled(const Message& m) {
    if (stalls_.empty()) {
      for (const Slice& s : r_.slices.rows())
        if (s.activity == Activity::wait_credit && s.end != never) stalls_.emplace_back(s.rank, s.end);
      std::sort(stalls_.begin(), stalls_.end());
      stalls_.emplace_back(INT32_MAX, never);
    }
    return std::binary_search(stalls_.begin(), stalls_.end(), std::pair(m.source, m.credited));
  }

  /// The parts of a message, the last first.
  void cross(std::size_t to, const Message& m) {
    const std::string what = fmt::format("{} B from rank {}, {}", m.bytes, m.source, r_.names[m.queue]);
    const Time left = m.left == never ? m.posted : m.left;
    if (m.latency == Time() && m.serialization == Time()) return step(to, "network", m.posted, m.arrived, what);
    const Time alone = m.latency + m.serialization, total = m.arrived - left;
    const Time extra = total > alone ? total - alone : Time();
    const Time latency = std::min(m.latency, total - extra);
    step(to, "congestion", m.arrived - extra, m.arrived, what);
    step(to, "latency", m.arrived - extra - latency, m.arrived - extra, what);
    step(to, "serialization", left, m.arrived - extra - latency, what);
    step(to, "queue", m.posted, left, what);
  }

  void step(std::size_t rank, std::string kind, Time begin, Time end, std::string what) {
    if (end > begin) path_.push_back({static_cast<std::int32_t>(rank), std::move(kind), begin, end, std::move(what)});
  }

  const Record& r_;
  std::vector<std::vector<Event>> events_;
  std::vector<std::pair<std::int32_t, Time>> stalls_;
  std::vector<PathRow> path_;
};

}  // namespace

std::vector<PathRow> critical_path(const Record& record) {
  if (!record.slices.whole() || !record.messages.whole() || record.ranks.empty()) return {};
  std::size_t last = 0;
  for (std::size_t i = 0; i < record.ranks.size(); ++i) {
    if (!record.ranks[i].finish) return {};
    if (*record.ranks[i].finish > *record.ranks[last].finish) last = i;
  }
  return Walk(record).path(last, *record.ranks[last].finish);
}

std::vector<PathShare> shares(const std::vector<PathRow>& path) {
  std::vector<PathShare> all;
  for (const PathRow& p : path) {
    auto at = std::find_if(all.begin(), all.end(), [&](const PathShare& s) { return s.kind == p.kind; });
    if (at == all.end()) at = all.insert(all.end(), {p.kind, Time()});
    at->time += p.end - p.begin;
  }
  std::stable_sort(all.begin(), all.end(), [](const PathShare& a, const PathShare& b) { return a.time > b.time; });
  return all;
}

}  // namespace tutti::report
