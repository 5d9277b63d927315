/// A packet-level network of RDMA hosts and switches (packet/network.h), read from ns-3's files or a topology.yaml.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "net/backend.h"
#include "net/backends/packet/network.h"
#include "net/backends/packet/network_yaml.h"
#include "net/backends/packet/ns3/config.h"
#include "net/backends/packet/ns3/words.h"

namespace tutti::net {
namespace {

using packet::Flow;

class PacketBackend final : public Backend, packet::FlowListener {
 public:
  PacketBackend(sim::Simulation& simulation, packet::Topology topology, packet::LogicalTopology logical,
                const packet::Settings& settings)
      : simulation_(simulation),
        logical_(std::move(logical)),
        network_(simulation, std::move(topology), settings),
        astra_(settings.astra) {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(logical_.hosts.size()); }
  std::vector<std::uint32_t> dimensions() const override { return logical_.dimensions; }
  bool completes_late_receives_at_once() const override { return astra_; }
  bool counts_bytes_in_astra() const override { return true; }

  /// The reference opens a queue pair two events after the call, in the same instant.
  void send(Message& m) override {
    m.route.network = this;
    m.fire = [](sim::Event& e) {
      auto& message = static_cast<Message&>(e);
      message.fire = [](sim::Event& again) {
        auto& ready = static_cast<Message&>(again);
        static_cast<PacketBackend*>(ready.route.network)->start(ready);
      };
      auto& self = *static_cast<PacketBackend*>(message.route.network);
      self.simulation_.at(self.simulation_.now(), message);
    };
    simulation_.at(simulation_.now(), m);
  }

  std::vector<LinkStatistics> links() const override {
    std::vector<LinkStatistics> out;
    const auto add = [&](const packet::Port& p) {
      const auto& c = p.counters();
      if (c.packets) out.push_back({fmt::format("{} -> {}", p.node(), p.peer().node()), c.bytes, Time::ps(c.busy_ps)});
    };
    network_.for_each_port(add);
    return out;
  }

 private:
  void start(Message& m) {
    if (m.source == m.destination) {
      m.sent(m);
      m.delivered(m);
      return;
    }
    network_.start(logical_.hosts[m.source], logical_.hosts[m.destination], m.bytes, this, &m);
  }
  void delivered(Flow& f) override {
    auto& m = *static_cast<Message*>(f.owner);
    m.delivered(m);
  }
  void acknowledged(Flow& f) override {
    auto& m = *static_cast<Message*>(f.owner);
    m.sent(m);
    if (astra_) m.delivered(m);  // the reference credits the receiver when the sender is done
  }

  sim::Simulation& simulation_;
  packet::LogicalTopology logical_;
  packet::Network network_;
  bool astra_;
};

std::unique_ptr<Backend> open(sim::Simulation& simulation, const std::string& file, const BackendOptions& options) {
  if (!packet::is_ns3_config(packet::Words::from_file(file).text())) {
    if (options.astra)
      throw ConfigError(file + ": error: --semantics astra needs ns-3's own config.txt, with TOPOLOGY_FILE");
    packet::NetworkYaml yaml = packet::read_network_yaml(file);
    if (!options.logical_topology.empty())
      yaml.logical = packet::read_logical_topology(options.logical_topology, yaml.topology);
    return std::make_unique<PacketBackend>(simulation, std::move(yaml.topology), std::move(yaml.logical),
                                           yaml.settings);
  }
  const packet::Ns3Config config = packet::read_ns3_config(file, options.astra);
  const auto path = std::filesystem::path(file).parent_path() / config.topology_file;
  packet::Topology topology = packet::read_ns3_topology(path.string());
  packet::LogicalTopology logical = packet::read_logical_topology(options.logical_topology, topology);
  return std::make_unique<PacketBackend>(simulation, std::move(topology), std::move(logical), config.settings);
}

}  // namespace

BackendKind packet_backend() { return {"packet", "RDMA hosts and switches, packet by packet", nullptr, &open}; }

}  // namespace tutti::net
