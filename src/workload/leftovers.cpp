#include "workload/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tutti::workload {
namespace {

using match::Leftover;

class Report {
 public:
  Report(const std::vector<std::unique_ptr<RankProgram>>& programs, const match::Matcher& matcher,
         const CollectiveEngine& collectives, bool astra, RunResult& result)
      : programs_(programs), left_(matcher.leftovers()), collectives_(collectives), astra_(astra), result_(result) {
    for (const Leftover& l : left_)
      if (l.kind == Leftover::Kind::receive) posted_[{l.key.destination, l.node}].push_back(&l);
  }

  void fill() {
    for (const auto& p : programs_)
      if (!p->finished()) unfinished(*p);
    for (const Leftover& l : left_)
      if (l.kind != Leftover::Kind::receive && is_native(l)) surplus(l);
    for (const auto& call : collectives_.pending()) collective(call);
    std::sort(result_.waits.begin(), result_.waits.end(), [](const Wait& a, const Wait& b) {
      return std::tie(a.rank, a.since, a.on, a.what) < std::tie(b.rank, b.since, b.on, b.what);
    });
    result_.cycle = circle();
  }

 private:
  /// Of a send or receive of the trace: not of a collective, not a request for a rendezvous.
  bool is_native(const Leftover& l) const { return l.key.space >> 32 == 0 && (!astra_ || l.key.tag < 500'000'000); }

  void unfinished(const RankProgram& p) {
    const auto running = p.running();
    for (const RankProgram::Running& r : running) {
      const Node& n = p.trace().nodes[r.node];
      const std::string name(p.trace().name(n));
      if (n.type == NodeType::comm_recv) {
        const auto source = static_cast<std::uint32_t>(n.comm_src);
        Unmatched u{"receive",
                    p.rank(),
                    n.id,
                    name,
                    static_cast<std::uint64_t>(n.comm_tag),
                    source,
                    p.rank(),
                    static_cast<std::uint64_t>(n.comm_size),
                    0,
                    {}};
        if (const auto it = posted_.find({p.rank(), n.id}); it != posted_.end())
          u.bytes_arrived = it->second.front()->arrived;
        u.hint = hint(u);
        result_.waits.push_back({p.rank(),
                                 fmt::format("receive node {} '{}' with tag {}, {} of {} bytes", n.id, name, n.comm_tag,
                                             u.bytes_arrived, u.bytes_expected),
                                 source, r.since});
        edges_[p.rank()].insert(source);
        result_.unmatched.push_back(std::move(u));
      } else if (n.type == NodeType::comm_send) {
        const auto destination = static_cast<std::uint32_t>(n.comm_dst);
        result_.unmatched.push_back({"send", p.rank(), n.id, name, static_cast<std::uint64_t>(n.comm_tag), p.rank(),
                                     destination, static_cast<std::uint64_t>(n.comm_size), 0,
                                     "its receive was not posted"});
        result_.waits.push_back(
            {p.rank(), fmt::format("send node {} '{}' with tag {}", n.id, name, n.comm_tag), destination, r.since});
        edges_[p.rank()].insert(destination);
      }
    }
    if (running.empty())
      result_.waits.push_back({p.rank(),
                               fmt::format("{} of {} nodes never became free to start: they were freed while others "
                                           "were being issued, and nothing ended after that",
                                           p.trace().nodes.size() - p.nodes_done(), p.trace().nodes.size()),
                               {},
                               Time()});
  }

  void surplus(const Leftover& l) {
    Unmatched u{"bytes", l.key.destination, {}, "", l.key.tag, l.key.source, l.key.destination, 0, l.arrived, {}};
    u.hint = fmt::format("sent by node {} of rank {}; no receive takes them", l.node, l.key.source);
    result_.unmatched.push_back(std::move(u));
  }

  void collective(const CollectiveEngine::Pending& call) {
    std::set<std::uint32_t> sources;
    if (const auto it = posted_.find({call.rank, call.node}); it != posted_.end())
      for (const Leftover* l : it->second) sources.insert(l->key.source);
    const std::string what = fmt::format("collective node {}: {}", call.node, call.text);
    if (sources.empty()) result_.waits.push_back({call.rank, what, {}, call.since});
    for (const std::uint32_t s : sources) {
      result_.waits.push_back({call.rank, what, s, call.since});
      edges_[call.rank].insert(s);
    }
  }

  /// The nearest miss of a receive: what came from the same rank under another tag or in another size.
  std::string hint(const Unmatched& u) const {
    for (const Leftover& l : left_) {
      if (l.kind == Leftover::Kind::receive || !is_native(l) || l.key.source != u.source ||
          l.key.destination != u.destination)
        continue;
      if (l.key.tag == u.tag)
        return fmt::format("{} bytes with this tag came from node {} and do not fit", l.arrived, l.node);
      return fmt::format("{} bytes with tag {} came from node {} and wait for a receive", l.arrived, l.key.tag, l.node);
    }
    if (programs_[u.source]->finished()) return fmt::format("rank {} has finished and sends nothing more", u.source);
    return fmt::format("rank {} has not finished", u.source);
  }

  std::vector<std::string> circle() const {
    // Walk from each rank along the waits; colours as in depth-first search, without recursion.
    std::map<std::uint32_t, int> colour;
    for (const auto& [start, unused] : edges_) {
      if (colour[start] != 0) continue;
      std::vector<std::pair<std::uint32_t, std::set<std::uint32_t>::const_iterator>> path;
      const auto push = [&](std::uint32_t r) {
        colour[r] = 1;
        path.emplace_back(r, edges_.at(r).begin());
      };
      push(start);
      while (!path.empty()) {
        auto& [rank, next] = path.back();
        if (next == edges_.at(rank).end()) {
          colour[rank] = 2;
          path.pop_back();
          continue;
        }
        const std::uint32_t to = *next++;
        if (edges_.find(to) == edges_.end() || colour[to] == 2) continue;
        if (colour[to] == 0) {
          push(to);
          continue;
        }
        std::vector<std::string> ranks;
        auto at = std::find_if(path.begin(), path.end(), [&](const auto& step) { return step.first == to; });
        for (; at != path.end(); ++at) ranks.push_back(fmt::format("rank {}", at->first));
        return ranks;
      }
    }
    return {};
  }

  const std::vector<std::unique_ptr<RankProgram>>& programs_;
  const std::vector<Leftover> left_;
  const CollectiveEngine& collectives_;
  const bool astra_;
  RunResult& result_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<const Leftover*>> posted_;
  std::map<std::uint32_t, std::set<std::uint32_t>> edges_;  // rank -> ranks it waits for
};

}  // namespace

void report_leftovers(const std::vector<std::unique_ptr<RankProgram>>& programs, const match::Matcher& matcher,
                      const CollectiveEngine& collectives, bool astra, RunResult& result) {
  Report(programs, matcher, collectives, astra, result).fill();
  for (const match::Mismatch& m : matcher.mismatches())
    result.size_errors.push_back(
        fmt::format("rank {} node {} sends {} bytes with tag {}, but rank {} node {} receives {}", m.key.source,
                    m.sender_node, m.sent, m.key.tag, m.key.destination, m.receiver_node, m.expected));
  const bool all_finished = std::all_of(programs.begin(), programs.end(), [](const auto& p) { return p->finished(); });
  if (!result.size_errors.empty())
    result.status = RunResult::Status::mismatch;
  else if (!all_finished || (!astra && !result.unmatched.empty()))
    result.status = RunResult::Status::incomplete;
}

}  // namespace tutti::workload
