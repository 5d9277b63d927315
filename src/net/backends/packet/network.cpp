#include "net/backends/packet/network.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace tutti::net::packet {
namespace {
__extension__ using Wide = unsigned __int128;
constexpr std::uint32_t kHeader = 36, kAck = 48;

std::uint32_t address(int id) {
  const auto n = static_cast<std::uint32_t>(id);
  return 0x0b000001u + (n / 256) * 0x10000u + (n % 256) * 0x100u;
}
std::uint32_t rotate(std::uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }
/// MurmurHash3 (32 bit, public domain by A. Appleby) of three words.
std::uint32_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t seed) {
  std::uint32_t h = seed;
  for (std::uint32_t k : {a, b, c}) h = rotate(h ^ (rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u), 13) * 5 + 0xe6546b64u;
  h ^= 12;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}
}  // namespace

std::int64_t transmission_ns(std::uint64_t bytes, std::uint64_t rate) {
  const Wide seconds = (static_cast<Wide>(bytes * 8) << 64) / rate;
  return static_cast<std::int64_t>((seconds * 1'000'000'000u + (Wide{1} << 63)) >> 64);
}

struct Network::Flow {
  int src, dst;
  std::uint16_t sport;
  std::uint64_t bytes, window, next = 0, acked = 0, received = 0;
  std::function<void()> done;
};
struct Network::Packet : sim::Event {
  explicit Packet(Network& n)
      : Event([](Event& e) {
          auto& p = static_cast<Packet&>(e);
          p.network.arrive(p);
        }),
        network(n) {}
  Network& network;
  Flow* flow = nullptr;
  int at = 0;
  bool ack = false;
  std::uint64_t sequence = 0;
  std::uint32_t size = 0;
};
struct Network::Port : sim::Event {
  Port(Network& n, int self, const Cable& c)
      : Event([](Event& e) {
          auto& p = static_cast<Port&>(e);
          p.busy = false;
          p.network.transmit(p.node, p);
        }),
        network(n),
        node(self),
        peer(c.a == self ? c.b : c.a),
        rate(c.rate),
        delay(c.delay_ns) {}
  Network& network;
  int node, peer;
  std::uint64_t rate;
  std::int64_t delay;
  bool busy = false;
  std::deque<Packet*> queue;
};
struct Network::Node {
  bool is_switch = false;
  std::vector<std::unique_ptr<Port>> ports;
  std::map<int, int, std::greater<>> neighbours;  ///< the last cable to each neighbour is the one used
  std::vector<Flow*> flows;
  std::size_t turn = 0;
};

Network::~Network() = default;

Network::Network(sim::Simulation& simulation, Topology topology, std::uint32_t payload)
    : simulation_(simulation), topology_(std::move(topology)), payload_(payload) {
  for (int i = 0; i < topology_.nodes; ++i) {
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->is_switch = topology_.is_switch.at(static_cast<std::size_t>(i));
  }
  for (const Cable& c : topology_.cables) {
    if (c.a < 0 || c.b < 0 || c.a >= topology_.nodes || c.b >= topology_.nodes || c.rate == 0)
      throw ConfigError("link " + std::to_string(c.a) + " - " + std::to_string(c.b) + ": unknown node or a rate of 0");
    for (int end : {c.a, c.b}) {
      Node& n = *nodes_[static_cast<std::size_t>(end)];
      n.neighbours[end == c.a ? c.b : c.a] = static_cast<int>(n.ports.size());
      n.ports.push_back(std::make_unique<Port>(*this, end, c));
    }
  }
}

const std::vector<int>& Network::next_hops(int node, int dst) {
  auto& table = routes_[dst];
  if (table.empty()) {
    table.resize(nodes_.size());
    std::vector<int> distance(nodes_.size(), -1), order{dst};
    distance[static_cast<std::size_t>(dst)] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto here = static_cast<std::size_t>(order[i]);
      if (order[i] != dst && !nodes_[here]->is_switch) continue;  // hosts do not forward
      for (const auto& [n, unused] : nodes_[here]->neighbours) {
        const auto next = static_cast<std::size_t>(n);
        if (distance[next] < 0) distance[next] = distance[here] + 1, order.push_back(n);
        if (distance[next] == distance[here] + 1) table[next].push_back(nodes_[next]->neighbours.at(order[i]));
      }
    }
  }
  const auto& hops = table[static_cast<std::size_t>(node)];
  if (hops.empty()) throw ConfigError("no path from node " + std::to_string(node) + " to node " + std::to_string(dst));
  return hops;
}

void Network::start(int src, int dst, std::uint64_t bytes, std::function<void()> done) {
  CHECK(bytes > 0 && bytes >> 32 == 0, "flow size");
  std::uint64_t rtt = 0, narrowest = UINT64_MAX;
  for (int n = src; n != dst;) {
    const Port& p = *nodes_[static_cast<std::size_t>(n)]->ports[static_cast<std::size_t>(next_hops(n, dst).front())];
    rtt +=
        2 * static_cast<std::uint64_t>(p.delay) + static_cast<std::uint64_t>(Wide{payload_} * 8'000'000'000u / p.rate);
    narrowest = std::min(narrowest, p.rate);
    n = p.peer;
  }
  const auto whole = static_cast<std::uint32_t>(Wide{rtt} * narrowest / 1'000'000'000u / 8);
  const std::uint64_t nic =
      nodes_[static_cast<std::size_t>(src)]->ports[static_cast<std::size_t>(next_hops(src, dst).front())]->rate;
  const std::uint64_t window = std::uint64_t{whole} * nic / nic;  // the reference multiplies modulo 2^64 (its VAR_WIN)
  auto [port, fresh] = ports_used_.try_emplace({src, dst}, std::uint16_t{10000});
  flows_.push_back(std::make_unique<Flow>(
      Flow{src, dst, port->second++, bytes, std::max<std::uint64_t>(window, 1), 0, 0, 0, std::move(done)}));
  Node& n = *nodes_[static_cast<std::size_t>(src)];
  n.flows.push_back(flows_.back().get());
  transmit(src, *n.ports[static_cast<std::size_t>(next_hops(src, dst).front())]);
}

Network::Packet& Network::make() {
  if (free_.empty()) pool_.push_back(std::make_unique<Packet>(*this)), free_.push_back(pool_.back().get());
  Packet& p = *free_.back();
  free_.pop_back();
  return p;
}

Network::Packet* Network::next_of_host(Node& n) {
  for (std::size_t k = 1; k <= n.flows.size(); ++k) {
    const std::size_t i = (n.turn + k) % n.flows.size();
    Flow& f = *n.flows[i];
    if (f.next >= f.bytes || f.next - f.acked >= f.window) continue;
    Packet& p = make();
    const std::uint64_t data = std::min<std::uint64_t>(payload_, f.bytes - f.next);
    p.flow = &f, p.ack = false, p.sequence = f.next, p.size = static_cast<std::uint32_t>(data) + kHeader;
    f.next += data;
    n.turn = i;
    return &p;
  }
  return nullptr;
}

void Network::transmit(int node, Port& port) {
  if (port.busy) return;
  Node& n = *nodes_[static_cast<std::size_t>(node)];
  Packet* p = nullptr;
  if (!port.queue.empty())
    p = port.queue.front(), port.queue.pop_front();
  else if (!n.is_switch)
    p = next_of_host(n);
  if (!p) return;
  port.busy = true;
  const std::int64_t t = transmission_ns(p->size, port.rate);
  p->at = port.peer;
  simulation_.after(Time::ns(t), port);
  simulation_.after(Time::ns(t + port.delay), *p);
}

void Network::enqueue(int node, Packet& p) {
  const Flow& f = *p.flow;
  const int from = p.ack ? f.dst : f.src, to = p.ack ? f.src : f.dst;
  const auto& hops = next_hops(node, to);
  const std::uint32_t ports = p.ack ? 100u | static_cast<std::uint32_t>(f.sport) << 16 : f.sport | 100u << 16;
  const auto choice =
      hops.size() == 1 ? 0 : hash(address(from), address(to), ports, static_cast<std::uint32_t>(node)) % hops.size();
  Port& port = *nodes_[static_cast<std::size_t>(node)]->ports[static_cast<std::size_t>(hops[choice])];
  port.queue.push_back(&p);
  transmit(node, port);
}

void Network::arrive(Packet& p) {
  const int here = p.at;
  Flow& f = *p.flow;
  if (here != (p.ack ? f.src : f.dst)) return enqueue(here, p);
  if (!p.ack) {  // in order by construction: one path a flow, no loss
    f.received = p.sequence + p.size - kHeader;
    p.ack = true, p.sequence = f.received, p.size = kAck;
    return enqueue(here, p);
  }
  f.acked = p.sequence;
  free_.push_back(&p);
  Node& n = *nodes_[static_cast<std::size_t>(here)];
  if (f.acked == f.bytes) {
    std::erase(n.flows, &f);
    if (f.done) f.done();
  }
  transmit(here, *n.ports[static_cast<std::size_t>(next_hops(here, f.dst).front())]);
}

}  // namespace tutti::net::packet
