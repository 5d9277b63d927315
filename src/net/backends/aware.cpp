/// A network of links with queues: one message at a time on a link, first come, first served, dimension by dimension.
///
/// Default: virtual cut-through. The first packet (mtu) is forwarded as soon as it has arrived, the rest streams behind
/// it; a hop costs latency + mtu / rate and the message one serialization on the slowest link. A link serves messages
/// in the order in which their first packets come. One event a hop. ASTRA-sim: store and forward of whole messages; a
/// link that takes a message at t is free at t + trunc(bytes / rate) and the message is at the next device at t +
/// trunc(latency + bytes / rate), whole ns.
#include <algorithm>

#include "net/backend.h"
#include "net/backends/grid.h"
#include "net/backends/link_map.h"

namespace tutti::net {
namespace {

struct LinkBase {
  explicit LinkBase(const Dimension& d) : dimension(&d) {}
  const Dimension* dimension;
  std::uint64_t bytes = 0;
  Time busy;
};

/// What both models share: routes and statistics.
template <class Link>
class Aware : public Backend {
 public:
  Aware(sim::Simulation& simulation, const NetworkFile& file)
      : simulation_(simulation), dimensions_(file.dimensions), grid_(dimensions_), links_(dimensions_, grid_) {}

  std::uint32_t ranks() const override { return grid_.ranks(); }
  std::vector<std::uint32_t> dimensions() const override {
    std::vector<std::uint32_t> sizes;
    for (const Dimension& d : dimensions_) sizes.push_back(d.size);
    return sizes;
  }
  std::vector<LinkStatistics> links() const override {
    std::vector<LinkStatistics> all;
    links_.each([&](const std::string& id, const Link& l) { all.push_back({id, l.bytes, l.busy}); });
    return all;
  }

 protected:
  static void deliver(Message& m) {
    m.sent(m);
    m.delivered(m);
  }
  /// The link of the next hop from rank `at`; fills m.route.
  Link& forward(Message& m, std::uint32_t at) {
    const Hop h = next_hop(grid_, dimensions_, at, m.destination);
    m.route.to = h.to;
    m.route.in_switch = h.to_switch;
    m.route.dimension = h.dimension;
    return links_.at({h.dimension, h.rank, h.port});
  }
  /// The dimension of a path without intermediate ranks in a network of one dimension, or nullptr.
  const Dimension* direct(std::uint32_t source, std::uint32_t destination) const {
    if (dimensions_.size() != 1 || source == destination) return nullptr;
    return next_hop(grid_, dimensions_, source, destination).to == destination ? &dimensions_[0] : nullptr;
  }
  template <class F>
  void each_link(std::uint32_t source, std::uint32_t destination, F&& f) {
    const Hop h = next_hop(grid_, dimensions_, source, destination);
    f(links_.at({h.dimension, h.rank, h.port}));
    if (h.to_switch) f(links_.at({h.dimension, destination, 1}));
  }
  /// The link from the switch that `m` is in to m.route.to.
  Link& leave_switch(Message& m) {
    m.route.in_switch = false;
    return links_.at({m.route.dimension, m.route.to, 1});
  }

  sim::Simulation& simulation_;
  std::vector<Dimension> dimensions_;
  Grid grid_;
  LinkMap<Link> links_;
};

struct StoreLink : LinkBase, sim::Event {
  explicit StoreLink(const Dimension& d) : LinkBase(d), sim::Event(nullptr) {}
  bool occupied = false;
  Message* head = nullptr;  // waiting, first in first out
  Message* tail = nullptr;
  class StoreAndForward* network = nullptr;
};

class StoreAndForward final : public Aware<StoreLink> {
 public:
  using Aware::Aware;

  void send(Message& m) override {
    m.route.network = this;
    if (m.source == m.destination) {
      m.fire = [](sim::Event& e) { deliver(static_cast<Message&>(e)); };
      return simulation_.at(simulation_.now(), m);
    }
    m.fire = [](sim::Event& e) {
      auto& message = static_cast<Message&>(e);
      static_cast<StoreAndForward*>(message.route.network)->arrived(message);
    };
    enter(forward(m, m.source), m);
  }

  bool crossing(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, Crossing& out) override {
    const Dimension* const d = direct(source, destination);
    if (!d) return false;
    const double serialization = static_cast<double>(bytes) / d->bytes_per_ns;
    out = {};
    out.links = d->shape == Shape::switched ? 2 : 1;
    out.held = whole_ns(serialization);
    out.through = out.head = whole_ns(d->latency_ns + serialization);
    out.after = out.through - out.held;
    return true;
  }
  void account(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, std::uint64_t messages) override {
    each_link(source, destination, [&](StoreLink& link) {
      link.bytes += bytes * messages;
      link.busy +=
          whole_ns(static_cast<double>(bytes) / link.dimension->bytes_per_ns) * static_cast<std::int64_t>(messages);
    });
  }

 private:
  void arrived(Message& m) {
    if (m.route.in_switch) return enter(leave_switch(m), m);
    if (m.route.to == m.destination) return deliver(m);
    enter(forward(m, m.route.to), m);
  }
  void enter(StoreLink& link, Message& m) {
    if (!link.occupied) return transmit(link, m);
    m.route.next = nullptr;
    (link.head ? link.tail->route.next : link.head) = &m;
    link.tail = &m;
  }
  void transmit(StoreLink& link, Message& m) {
    // Messages of a collective are mostly alike, and a division is dear.
    if (m.bytes != last_.bytes || link.dimension != last_.dimension) {
      const double serialization = static_cast<double>(m.bytes) / link.dimension->bytes_per_ns;
      last_ = {m.bytes, link.dimension, whole_ns(serialization), whole_ns(link.dimension->latency_ns + serialization)};
    }
    const Time held = last_.held;
    link.occupied = true;
    link.network = this;
    link.bytes += m.bytes;
    link.busy += held;
    // In this order: at one instant a message arrives before the link that carried it is free.
    simulation_.after(last_.through, m);
    link.fire = [](sim::Event& e) {
      auto& l = static_cast<StoreLink&>(e);
      l.occupied = false;
      if (!l.head) return;
      Message& next = *l.head;
      l.head = next.route.next;
      l.network->transmit(l, next);
    };
    simulation_.after(held, link);
  }

  struct Last {
    std::uint64_t bytes = 0;
    const Dimension* dimension = nullptr;
    Time held, through;
  } last_;
};

struct CutLink : LinkBase {
  using LinkBase::LinkBase;
  Time free;  ///< when the last byte accepted so far has left
};

class CutThrough final : public Aware<CutLink> {
 public:
  CutThrough(sim::Simulation& simulation, const NetworkFile& file, Bytes mtu)
      : Aware(simulation, file), mtu_(static_cast<std::uint64_t>(mtu.count())) {}

  void send(Message& m) override {
    m.route.network = this;
    m.route.tail = simulation_.now();
    if (m.source == m.destination) {
      m.fire = [](sim::Event& e) { deliver(static_cast<Message&>(e)); };
      return simulation_.at(simulation_.now(), m);
    }
    m.fire = [](sim::Event& e) {
      auto& message = static_cast<Message&>(e);
      static_cast<CutThrough*>(message.route.network)->first_packet(message);
    };
    transmit(forward(m, m.source), m);
  }

  bool crossing(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, Crossing& out) override {
    const Dimension* const d = direct(source, destination);
    if (!d) return false;
    const Time all = checked_serialization(bytes, d->rate),
               packet = checked_serialization(std::min(bytes, mtu_), d->rate);
    out = {};
    out.links = d->shape == Shape::switched ? 2 : 1;
    out.held = all;
    out.through = all + d->latency;
    out.head = packet + d->latency;
    out.tail = all + d->latency + packet;
    out.after = d->latency;
    return true;
  }
  void account(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, std::uint64_t messages) override {
    each_link(source, destination, [&](CutLink& link) {
      link.bytes += bytes * messages;
      link.busy += checked_serialization(bytes, link.dimension->rate) * static_cast<std::int64_t>(messages);
    });
  }

 private:
  void first_packet(Message& m) { transmit(m.route.in_switch ? leave_switch(m) : forward(m, m.route.to), m); }
  void transmit(CutLink& link, Message& m) {
    const Time start = std::max(simulation_.now(), link.free);
    const Time all = checked_serialization(m.bytes, link.dimension->rate);
    const Time packet = checked_serialization(std::min(m.bytes, mtu_), link.dimension->rate);
    // The last packet can leave only after it has come.
    const Time end = std::max(start + all, m.route.tail + packet);
    if (end > sim::Simulation::horizon()) throw ModelError("a link is busy for more than 53 days");
    link.busy += all;
    link.bytes += m.bytes;
    link.free = end;
    m.route.tail = end + link.dimension->latency;
    if (!m.route.in_switch && m.route.to == m.destination) {
      m.fire = [](sim::Event& e) { deliver(static_cast<Message&>(e)); };
      return simulation_.at(m.route.tail, m);
    }
    simulation_.at(start + packet + link.dimension->latency, m);
  }
  std::uint64_t mtu_;
};

}  // namespace

BackendKind aware_backend() {
  return {"aware", "links carry one message after another: cut-through, or store and forward in astra semantics",
          [](sim::Simulation& s, const NetworkFile& f, const BackendOptions& o) -> std::unique_ptr<Backend> {
            if (o.astra) return std::make_unique<StoreAndForward>(s, f);
            return std::make_unique<CutThrough>(s, f, o.mtu);
          }};
}

}  // namespace tutti::net
