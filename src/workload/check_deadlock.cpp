#include "workload/check_deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tutti::workload {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
enum State : std::uint8_t { blocked, started, finished };

struct Place {
  std::uint32_t rank, node;
  bool operator==(const Place&) const = default;
};

class Play {
 public:
  Play(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs,
       const std::vector<std::vector<std::uint32_t>>& order, const MessageKeys& keys, const CollectiveCalls& calls,
       bool rendezvous, CheckLog& log)
      : traces_(traces),
        graphs_(graphs),
        order_(order),
        keys_(keys),
        calls_(calls),
        rendezvous_(rendezvous),
        log_(log),
        streams_(keys.keys().size()),
        queue_(keys.messages().size()) {
    for (std::uint32_t r = 0; r < traces.size(); ++r) {
      const std::size_t n = traces[r].nodes.size();
      missing_.push_back(graphs[r].parent_counts());
      state_.emplace_back(n, blocked);
      // Where a communication node stands in the order of its rank, which names its key or call.
      place_.emplace_back(n, none);
      for (std::size_t i = 0; i < order[r].size(); ++i) place_[r][order[r][i]] = static_cast<std::uint32_t>(i);
    }
    for (const auto& g : calls.groups()) {
      std::size_t most = 0;
      for (const auto& nodes : g.nodes) most = std::max(most, nodes.size());
      arrived_.emplace_back(most);
      late_.emplace_back(most);
    }
  }

  void run() {
    for (std::uint32_t r = 0; r < traces_.size(); ++r)
      for (std::uint32_t i = 0; i < missing_[r].size(); ++i)
        if (missing_[r][i] == 0) start(r, i);
    while (!done_.empty()) {
      const Place p = done_.back();
      done_.pop_back();
      for (const std::uint32_t c : graphs_[p.rank].children(p.node))
        if (--missing_[p.rank][c] == 0) start(p.rank, c);
    }
    for (std::uint32_t r = 0; r < traces_.size(); ++r)
      for (const std::uint32_t node : order_[r])
        if (state_[r][node] == started) walk({r, node});
  }

 private:
  /// Nodes of one side of a key that have started, first come first served; they lie in queue_.
  struct Side {
    std::uint64_t bytes = 0;  ///< of those that have started
    std::uint64_t end = 0;    ///< bytes of those that have finished
    std::uint64_t head = 0, tail = 0;
    std::uint32_t blocked = 0;  ///< for next(): the first message that may be blocked
  };
  struct Stream {
    Side sends, receives;
  };

  void finish(const Place& p) {
    state_[p.rank][p.node] = finished;
    done_.push_back(p);
  }

  void start(std::uint32_t r, std::uint32_t node) {
    state_[r][node] = started;
    const Node& n = traces_[r].nodes[node];
    const std::uint32_t at = place_[r][node];
    if (at == none || n.is_cpu_op) return finish({r, node});
    if (n.type == NodeType::comm_coll) return collective(r, node, calls_.call(r, at));
    const std::uint32_t k = keys_.key_of(r, at);
    if (k == none) return finish({r, node});
    const MessageKeys::Key& key = keys_.keys()[k];
    Stream& s = streams_[k];
    const bool send = n.type == NodeType::comm_send;
    Side& side = send ? s.sends : s.receives;
    side.bytes += static_cast<std::uint64_t>(n.comm_size);
    if (send && !rendezvous_)
      finish({r, node});
    else
      queue_[(send ? key.first_send : key.first_receive) + side.tail++] = node;
    advance(s.receives, key.destination, key.first_receive, s.sends.bytes);
    advance(s.sends, key.source, key.first_send, s.receives.bytes);
  }

  void advance(Side& side, std::uint32_t rank, std::uint64_t first, std::uint64_t available) {
    for (; side.head < side.tail; ++side.head) {
      const std::uint32_t node = queue_[first + side.head];
      const auto bytes = static_cast<std::uint64_t>(traces_[rank].nodes[node].comm_size);
      if (side.end + bytes > available) return;
      side.end += bytes;
      finish({rank, node});
    }
  }

  void collective(std::uint32_t r, std::uint32_t node, const CollectiveCalls::Call& call) {
    if (call.group == none) return finish({r, node});
    const auto& g = calls_.groups()[call.group];
    if (++arrived_[call.group][call.number] < g.members.size()) return;
    for (std::size_t m = 0; m < g.members.size(); ++m) finish({g.members[m], g.nodes[m][call.number]});
  }

  /// What `p` waits for: an unfinished parent, or for a started node its partner that has not started.
  std::optional<Place> next(const Place& p) {
    if (state_[p.rank][p.node] == blocked) {
      for (const std::uint32_t q : traces_[p.rank].parents(traces_[p.rank].nodes[p.node]))
        if (state_[p.rank][q] != finished) return Place{p.rank, q};
      return {};
    }
    const Node& n = traces_[p.rank].nodes[p.node];
    const std::uint32_t at = place_[p.rank][p.node];
    if (n.type == NodeType::comm_coll) {
      const auto call = calls_.call(p.rank, at);
      const auto& g = calls_.groups()[call.group];
      // What is blocked stays so: each call looks at each member once.
      for (std::uint32_t& m = late_[call.group][call.number]; m < g.members.size(); ++m) {
        if (g.nodes[m].size() <= call.number) return {};
        const Place q{g.members[m], g.nodes[m][call.number]};
        if (state_[q.rank][q.node] == blocked) return q;
      }
      return {};
    }
    const std::uint32_t key = keys_.key_of(p.rank, at);
    const MessageKeys::Key& k = keys_.keys()[key];
    const bool receive = n.type == NodeType::comm_recv;
    const std::uint64_t first = receive ? k.first_send : k.first_receive, count = receive ? k.sends : k.receives;
    for (std::uint32_t& i = (receive ? streams_[key].sends : streams_[key].receives).blocked; i < count; ++i) {
      const Place q{receive ? k.source : k.destination, keys_.messages()[first + i].node};
      if (state_[q.rank][q.node] == blocked) return q;
    }
    return {};
  }

  /// Walks along the waits from `from`; a circle is reported once.
  void walk(const Place& from) {
    std::vector<Place> path;
    std::optional<Place> at = from;
    ++walks_;
    while (at && state_[at->rank][at->node] != finished) {
      auto& seen = visited(*at);
      if (seen != 0) {
        if (seen == walks_) report({std::find(path.begin(), path.end(), *at), path.end()});
        return;
      }
      seen = walks_;
      path.push_back(*at);
      at = next(*at);
    }
  }

  std::uint32_t& visited(const Place& p) {
    if (visited_.empty()) visited_.resize(traces_.size());
    if (visited_[p.rank].empty()) visited_[p.rank].resize(traces_[p.rank].nodes.size());
    return visited_[p.rank][p.node];
  }

  void report(std::vector<Place> circle) {
    const bool one_rank =
        std::all_of(circle.begin(), circle.end(), [&](const Place& p) { return p.rank == circle[0].rank; });
    if (one_rank &&
        std::none_of(circle.begin(), circle.end(), [&](const Place& p) { return state_[p.rank][p.node] == started; }))
      return;  // a cycle of dependencies, which is listed as such
    // Start at a node that waits for another rank, so that the text begins with what a reader looks for.
    const auto start_at =
        std::find_if(circle.begin(), circle.end(), [&](const Place& p) { return state_[p.rank][p.node] == started; });
    std::rotate(circle.begin(), start_at, circle.end());
    std::string text;
    std::size_t told = 0;
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const Place& p = circle[i];
      const bool crosses = state_[p.rank][p.node] == started;
      const bool entry = i > 0 && state_[circle[i - 1].rank][circle[i - 1].node] == started;
      if (!crosses && !entry) continue;
      if (++told > 20) {
        text += "... -> ";
        break;
      }
      const Node& n = traces_[p.rank].nodes[p.node];
      text += fmt::format("rank {} node {} '{}' ({}) -> ", p.rank, n.id, traces_[p.rank].name(n), kind(n));
    }
    const Place& first = circle.front();
    const Node& n = traces_[first.rank].nodes[first.node];
    log_.node(true, "deadlock", traces_[first.rank], n,
              [&] { return fmt::format("waits for itself: {}rank {} node {}", text, first.rank, n.id); });
  }

  static std::string kind(const Node& n) {
    switch (n.type) {
      case NodeType::comm_send:
        return fmt::format("send to {} tag {}", n.comm_dst, n.comm_tag);
      case NodeType::comm_recv:
        return fmt::format("receive from {} tag {}", n.comm_src, n.comm_tag);
      case NodeType::comm_coll:
        return std::string(to_string(n.collective));
      default:
        return std::string(to_string(n.type));
    }
  }

  const std::vector<Trace>& traces_;
  const std::deque<DependencyGraph>& graphs_;
  const std::vector<std::vector<std::uint32_t>>& order_;
  const MessageKeys& keys_;
  const CollectiveCalls& calls_;
  const bool rendezvous_;
  CheckLog& log_;
  std::vector<std::vector<std::uint32_t>> missing_, place_, visited_;
  std::vector<std::vector<State>> state_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> queue_;                 // nodes by message number, as they start
  std::vector<std::vector<std::uint32_t>> arrived_;  // by group and number: members that have come
  std::vector<std::vector<std::uint32_t>> late_;     // by group and number: the first member that has not
  std::vector<Place> done_;
  std::uint32_t walks_ = 0;
};

}  // namespace

void check_deadlock(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs,
                    const std::vector<std::vector<std::uint32_t>>& order, const MessageKeys& keys,
                    const CollectiveCalls& calls, bool rendezvous, CheckLog& log) {
  Play(traces, graphs, order, keys, calls, rendezvous, log).run();
}

}  // namespace tutti::workload
