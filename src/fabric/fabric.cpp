#include "fabric/fabric.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/flight.h"
#include "fabric/route_policy.h"
#include "fabric/transmitter.h"

namespace tutti::fabric {
namespace {

void check(const FabricSpec& spec) {
  if (spec.channels.empty() || spec.channels.size() > max_channels)
    throw ConfigError("fabric: needs 1 to " + std::to_string(max_channels) + " virtual channels, not " +
                      std::to_string(spec.channels.size()));
  if (spec.chunk_bytes < 1 || spec.chunk_bytes > (std::uint64_t{1} << 30))
    throw ConfigError("fabric: a chunk has 1 byte to 1 GiB");
  for (const ChannelSpec& c : spec.channels) {
    if (c.weight < 1 || c.weight > 1024)
      throw ConfigError("fabric: channel '" + c.name + "': weight " + std::to_string(c.weight) +
                        " is not in 1 to 1024");
    if (c.own < Bandwidth()) throw ConfigError("fabric: channel '" + c.name + "': negative bandwidth");
  }
}

/// Where a channel is served: the transmitter of the link and the lane there.
struct Place {
  std::uint8_t transmitter = 0;
  std::uint8_t lane = 0;
};

}  // namespace

struct Fabric::Impl final : TransmitterOwner, FlightOwner {
  Impl(sim::Simulation& s, const Graph& g, FabricSpec f) : simulation(s), graph(g), spec(std::move(f)) {
    check(spec);
    routes = make_route_policy(spec.routing, graph, spec.seed);
    clients.resize(graph.nodes().size());
    sent.resize(graph.nodes().size());
    std::vector<std::uint8_t> shared;
    for (std::uint8_t c = 0; c < spec.channels.size(); ++c) {
      total_weight += spec.channels[c].weight;
      if (alone(c))
        groups.push_back({c});
      else
        shared.push_back(c);
    }
    if (!shared.empty()) groups.push_back(shared);
    places.resize(spec.channels.size());
    for (std::uint8_t t = 0; t < groups.size(); ++t)
      for (std::uint8_t lane = 0; lane < groups[t].size(); ++lane) places[groups[t][lane]] = {t, lane};
    transmitters.resize(graph.links().size() * groups.size());
  }

  bool alone(std::uint8_t channel) const { return spec.strict_partition || spec.channels[channel].own > Bandwidth(); }
  /// Of a channel alone on a link of bandwidth `of`.
  Bandwidth rate(std::uint8_t channel, Bandwidth of) const {
    const ChannelSpec& c = spec.channels[channel];
    if (c.own > Bandwidth()) return c.own;
    if (!spec.strict_partition) return of;
    return Bandwidth::bits_per_second(std::max<std::int64_t>(1, of.bits_per_second() / total_weight * c.weight));
  }

  const Path& path(NodeId from, NodeId to) {
    CHECK(from < clients.size() && to < clients.size(), "no such node");
    std::unique_ptr<Path>& found = paths[std::uint64_t{from} << 32 | to];
    if (!found) found = std::make_unique<Path>(make_path(graph, from, routes->route(from, to)));
    return *found;
  }

  Transmitter& transmitter(LinkId link, std::size_t group) {
    std::unique_ptr<Transmitter>& t = transmitters[link * groups.size() + group];
    if (!t)
      t = std::make_unique<Transmitter>(simulation, *this, spec, groups[group],
                                        rate(groups[group].front(), graph.links()[link].bandwidth));
    return *t;
  }

  Flight& take_flight() {
    if (!free_flights) return flights.emplace_back(*this);
    Flight& f = *free_flights;
    free_flights = f.next_free;
    return f;
  }
  Claim& take_claim() {
    if (!free_claims) return claims.emplace_back();
    Claim& c = *free_claims;
    free_claims = c.next;
    return c;
  }

  void send(const Packet& p) {
    CHECK(p.channel < places.size(), "no such virtual channel");
    const Path& route = path(p.from, p.to);
    CHECK(clients[p.from] && clients[p.to], "a packet needs a client at both ends");
    Flight& f = take_flight();
    f.packet = p;
    f.path = &route;
    f.tail = Time();
    f.order = sent[p.from]++ << 24 | (p.from & 0xffffff);
    f.hop = f.ended = 0;
    ++flying;
    simulation.after(route.source_overhead, f);
  }

  void moved(Flight& f) override {
    const std::size_t hops = f.path->hops.size();
    if (f.hop < hops) {
      Claim& c = take_claim();
      c.flight = &f;
      c.hop = f.hop;
      c.bytes = f.packet.bytes;
      c.order = f.order;
      const Place at = places[f.packet.channel];
      transmitter(f.path->hops[f.hop].link, at.transmitter).request(at.lane, c);
      return;
    }
    const Packet p = f.packet;
    f.next_free = free_flights;
    free_flights = &f;
    --flying;
    if (hops == 0) {
      clients[p.from]->departing(p);
      clients[p.from]->drained(p);
    }
    clients[p.to]->arrived(p);
  }

  void first_byte(Claim& c) override {
    Flight& f = *c.flight;
    const Path::Hop& hop = f.path->hops[c.hop];
    if (c.hop + 1 < f.path->hops.size()) {
      f.hop = c.hop + 1;
      simulation.after(hop.to_next, f);
    }
    if (c.hop == 0) clients[f.packet.from]->departing(f.packet);
  }

  void last_byte(Claim& c) override {
    Flight& f = *c.flight;
    const std::uint32_t h = c.hop;
    c.next = free_claims;
    free_claims = &c;
    f.tail = std::max(f.tail, simulation.now() + f.path->hops[h].to_end);
    if (++f.ended == f.path->hops.size()) {
      f.hop = f.ended;
      simulation.at(f.tail, f);
    }
    if (h == 0) clients[f.packet.from]->drained(f.packet);
  }

  sim::Simulation& simulation;
  const Graph& graph;
  FabricSpec spec;
  std::unique_ptr<RoutePolicy> routes;
  std::int64_t total_weight = 0;
  std::vector<Client*> clients;
  std::vector<std::uint64_t> sent;                             ///< packets of each node
  std::vector<Place> places;                                   ///< of each channel
  std::vector<std::vector<std::uint8_t>> groups;               ///< channels of each transmitter of a link
  std::vector<std::unique_ptr<Transmitter>> transmitters;      ///< [link * groups + group]; made at first use
  tsl::robin_map<std::uint64_t, std::unique_ptr<Path>> paths;  ///< looked up only, never iterated
  std::deque<Flight> flights;
  std::deque<Claim> claims;
  Flight* free_flights = nullptr;
  Claim* free_claims = nullptr;
  std::uint64_t flying = 0;
};

Fabric::Fabric(sim::Simulation& simulation, const Graph& graph, FabricSpec spec)
    : impl_(std::make_unique<Impl>(simulation, graph, std::move(spec))) {}
Fabric::~Fabric() = default;

void Fabric::attach(NodeId node, Client& client) {
  CHECK(node < impl_->clients.size(), "no such node");
  CHECK(!impl_->clients[node], "a node has one client");
  impl_->clients[node] = &client;
}
void Fabric::send(const Packet& packet) { impl_->send(packet); }
const Path& Fabric::path(NodeId from, NodeId to) const { return impl_->path(from, to); }

Time Fabric::path_latency(NodeId from, NodeId to, std::uint64_t bytes, std::uint8_t channel) const {
  const Path& p = impl_->path(from, to);
  CHECK(channel < impl_->places.size(), "no such virtual channel");
  if (p.hops.empty()) return p.head;
  return p.head + serialization_time(Bytes(static_cast<std::int64_t>(bytes)), impl_->rate(channel, p.bottleneck));
}

LinkStatistics Fabric::statistics(LinkId link) const {
  CHECK(link < impl_->graph.links().size(), "no such link");
  LinkStatistics sum;
  const std::size_t each = impl_->groups.size();
  for (std::size_t t = 0; t < each; ++t)
    if (const auto& sender = impl_->transmitters[link * each + t]) sender->add_to(sum);
  return sum;
}
std::uint64_t Fabric::in_flight() const { return impl_->flying; }
std::uint64_t Fabric::chunks() const {
  std::uint64_t sum = 0;
  for (const auto& t : impl_->transmitters)
    if (t) sum += t->chunks();
  return sum;
}
const Graph& Fabric::graph() const { return impl_->graph; }
const FabricSpec& Fabric::spec() const { return impl_->spec; }

}  // namespace tutti::fabric
