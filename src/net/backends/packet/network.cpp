#include "net/backends/packet/network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "net/backends/packet/flow_hash.h"

namespace tutti::net::packet {
namespace {
__extension__ using Wide = unsigned __int128;
std::size_t index(int i) { return static_cast<std::size_t>(i); }
constexpr std::uint16_t first_port = 10000, service_port = 100;
}  // namespace

Network::~Network() = default;

Network::Network(sim::Simulation& simulation, Topology topology, const Settings& settings)
    : context_(simulation, settings, topology.nodes),
      topology_((check_topology(topology), std::move(topology))),
      routes_(topology_, settings.astra),
      switch_of_(index(topology_.nodes), -1),
      nics_(index(topology_.nodes)),
      choose_([this](Switch& at, const Packet& p) { return next_port(at, p); }) {
  build();
  set_ecn();
  if (settings.window && settings.global_window) find_widest();
  if (settings.congestion == Congestion::pint && longest_rtt_ns_ == 0) find_widest();
  context_.longest_rtt_ns = longest_rtt_ns_;
  schedule_failures();
}

void Network::schedule_failures() {
  for (const LinkFailure& f : context_.settings.failures) {
    bool found = false;
    for (std::size_t k = 0; k < topology_.cables.size(); ++k) {
      const Cable& c = topology_.cables[k];
      if (!((c.a == f.a && c.b == f.b) || (c.a == f.b && c.b == f.a))) continue;
      found = true;
      for (const bool up : {false, true}) {
        if (up && f.up_ps < 0) continue;
        changes_.push_back(std::make_unique<Change>());
        Change& change = *changes_.back();
        change.network = this, change.cable = static_cast<int>(k), change.up = up;
        change.fire = [](sim::Event& e) {
          const auto& self = static_cast<Change&>(e);
          self.network->set_cable(self.cable, self.up);
        };
        context_.simulation.at(Time::ps(up ? f.up_ps : f.down_ps), change);
      }
    }
    if (!found) throw ConfigError(fmt::format("failure {} - {}: there is no cable between them", f.a, f.b));
  }
}

/// What waits for the cable is lost with it; what is under way is lost when it arrives.
void Network::set_cable(int cable, bool up) {
  routes_.set_up(cable, up);
  for (Port* const end : {ends_[index(cable)].first, ends_[index(cable)].second}) {
    end->set_up(up);
    if (!up && switch_of_[index(end->node())] >= 0) {
      auto& port = static_cast<SwitchPort&>(*end);
      port.empty(port.drops);
    }
  }
}

void Network::build() {
  for (int n = 0; n < topology_.nodes; ++n) {
    if (!topology_.is_switch[index(n)]) continue;
    switch_of_[index(n)] = static_cast<int>(switches_.size());
    switches_.push_back(std::make_unique<Switch>(context_, n));
    switches_.back()->set_choose(&choose_);
  }
  for (const Cable& c : topology_.cables) {
    Port* ends[2] = {};
    const double loss = c.loss > 0 ? c.loss : context_.settings.loss;
    for (int k : {0, 1}) {
      const int n = k == 0 ? c.a : c.b;
      if (switch_of_[index(n)] >= 0) {
        ends[k] = &switches_[index(switch_of_[index(n)])]->add_port(c.rate, c.delay_ns * 1000, loss);
      } else {
        auto& nics = nics_[index(n)];
        nics.push_back(
            std::make_unique<Nic>(context_, n, static_cast<int>(nics.size()), c.rate, c.delay_ns * 1000, loss));
        ends[k] = nics.back().get();
      }
    }
    ends[0]->connect(*ends[1]);
    ends[1]->connect(*ends[0]);
    ends_.emplace_back(ends[0], ends[1]);
  }
  std::uint64_t host_rate = UINT64_MAX;  // of the first host, as the reference compares with
  for (const auto& nics : nics_)
    if (!nics.empty()) {
      host_rate = nics.front()->rate();
      break;
    }
  for (const auto& s : switches_) s->finish(host_rate);
}

void Network::set_ecn() {
  const Settings& s = context_.settings;
  const bool read = s.congestion == Congestion::dcqcn || s.congestion == Congestion::dctcp;
  for (const auto& sw : switches_)
    for (const auto& p : sw->ports()) {
      const auto t = std::ranges::find(s.ecn_thresholds, p->rate(), &EcnThreshold::rate);
      if (t != s.ecn_thresholds.end())
        p->set_ecn(*t);
      else if (s.ecn && read)
        throw ConfigError(fmt::format("switch {}: no ECN thresholds for ports of {} bit/s, which {} needs", sw->id(),
                                      p->rate(), to_string(s.congestion)));
      else
        p->set_ecn({p->rate(), UINT64_MAX, UINT64_MAX, 0});
    }
}

Port& Network::port(int node, int i) {
  if (const int k = switch_of_[index(node)]; k >= 0) return *switches_[index(k)]->ports()[index(i)];
  return *nics_[index(node)][index(i)];
}

/// Along the first of the equally good ways.
Network::Path Network::path(int source, int destination) {
  Path out{0, UINT64_MAX};
  for (int n = source; n != destination;) {
    const auto hops = routes_.next_hops(n, destination);
    if (hops.count == 0) throw ConfigError(fmt::format("no way from node {} to node {}", source, destination));
    const Cable& c = topology_.cables[index(routes_.cable(n, hops[0]))];
    out.rtt_ns += 2 * static_cast<std::uint64_t>(c.delay_ns) +
                  static_cast<std::uint64_t>(Wide{context_.settings.payload} * 8'000'000'000u / c.rate);
    out.narrowest = std::min(out.narrowest, c.rate);
    n = routes_.neighbour(n, hops[0]);
  }
  return out;
}

std::uint64_t Network::bandwidth_delay(const Path& p) const {
  if (context_.settings.astra) return static_cast<std::uint32_t>(p.rtt_ns * p.narrowest / 1'000'000'000u / 8);
  return static_cast<std::uint64_t>(Wide{p.rtt_ns} * p.narrowest / 8'000'000'000u);
}

void Network::find_widest() {
  std::vector<int> hosts;
  for (int n = 0; n < topology_.nodes; ++n)
    if (!topology_.is_switch[index(n)] && routes_.ports(n) > 0) hosts.push_back(n);
  for (std::size_t i = 0; i < hosts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (routes_.distance(hosts[i], hosts[j]) < 0) continue;
      const Path p = path(hosts[i], hosts[j]);
      widest_window_ = std::max(widest_window_, bandwidth_delay(p));
      longest_rtt_ns_ = std::max(longest_rtt_ns_, static_cast<std::int64_t>(p.rtt_ns));
    }
}

std::size_t Network::choose(int node, std::size_t count, int source, int destination, std::uint32_t ports) const {
  if (count == 1) return 0;
  std::uint32_t seed = static_cast<std::uint32_t>(node);
  if (!context_.settings.astra) {
    std::uint64_t state = context_.settings.seed + (static_cast<std::uint64_t>(node) << 32);
    seed = static_cast<std::uint32_t>(Random::splitmix64(state));
  }
  return flow_hash(address_of(source), address_of(destination), ports, seed) % count;
}

std::vector<SwitchPort*> Network::way(int source, int destination, std::uint16_t source_port,
                                      std::uint16_t destination_port, Nic*& first) {
  const std::uint32_t ports = source_port | static_cast<std::uint32_t>(destination_port) << 16;
  std::vector<SwitchPort*> out;
  for (int n = source; n != destination;) {
    const auto hops = routes_.next_hops(n, destination);
    if (hops.count == 0) throw ConfigError(fmt::format("no way from node {} to node {}", source, destination));
    const int p = hops[choose(n, hops.count, source, destination, ports)];
    if (n == source)
      first = static_cast<Nic*>(&port(n, p));
    else
      out.push_back(static_cast<SwitchPort*>(&port(n, p)));
    n = routes_.neighbour(n, p);
  }
  return out;
}

/// For packets that have no fixed way: sprayed ones, and those whose way has changed under them.
SwitchPort* Network::next_port(Switch& at, const Packet& p) {
  const Flow& f = *p.flow;
  const bool data = p.kind == Packet::Kind::data;
  const int from = data ? f.source : f.destination, to = data ? f.destination : f.source;
  const auto hops = routes_.next_hops(at.id(), to);
  if (hops.count == 0) return nullptr;
  const std::uint32_t ports =
      data ? f.port | std::uint32_t{service_port} << 16 : service_port | std::uint32_t{f.port} << 16;
  const std::size_t k =
      context_.settings.spray ? sprayed_++ % hops.count : choose(at.id(), hops.count, from, to, ports);
  return static_cast<SwitchPort*>(&port(at.id(), hops[k]));
}

Flow& Network::start(int source, int destination, std::uint64_t bytes, FlowListener* listener, void* owner) {
  const Settings& s = context_.settings;
  if (s.astra && bytes >> 31 != 0)
    throw ModelError(
        fmt::format("a message of {} bytes from node {} to node {}: the reference wraps at 2^31; use "
                    "--semantics tutti",
                    bytes, source, destination));
  const Path p = path(source, destination);
  auto [port, fresh] = ports_used_.try_emplace({source, destination}, first_port);
  Flow& f = context_.make_flow();
  f.source = source;
  f.destination = destination;
  f.port = port->second++;
  f.bytes = bytes;
  f.span = std::max<std::uint64_t>(bytes, 1);
  f.owner = owner;
  f.listener = listener;
  f.there = way(source, destination, f.port, service_port, f.nic);
  f.back = way(destination, source, service_port, f.port, f.sink);
  if (s.spray) f.there.clear(), f.back.clear();
  f.line_rate = f.nic->rate();
  f.base_rtt_ns = s.global_window && s.window ? longest_rtt_ns_ : static_cast<std::int64_t>(p.rtt_ns);
  if (s.window) f.window = s.global_window ? widest_window_ : bandwidth_delay(p);
  if (s.window && f.window == 0 && !s.astra) f.window = 1;
  set_rate(context_, f, f.line_rate);
  f.start_ps = context_.now_ps();
  f.timeout_ps = std::max(s.retransmit_ps, 8 * static_cast<std::int64_t>(p.rtt_ns) * 1000);
  f.control = make_congestion_control(context_, f);
  f.nic->open(f);
  return f;
}

std::int64_t Network::standalone_ns(const Flow& f) {
  const Path p = path(f.source, f.destination);
  const std::uint64_t payload = context_.settings.payload;
  const std::uint64_t wire = f.bytes + 48 * ((f.bytes + payload - 1) / payload);
  return static_cast<std::int64_t>(p.rtt_ns + static_cast<std::uint64_t>(Wide{wire} * 8'000'000'000u / p.narrowest));
}

}  // namespace tutti::net::packet
