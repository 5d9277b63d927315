#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "net/backends/packet/context.h"
#include "net/backends/packet/nic.h"
#include "net/backends/packet/routes.h"
#include "net/backends/packet/switch.h"
#include "net/backends/packet/topology.h"

namespace tutti::net::packet {

/// RDMA hosts and store-and-forward switches, packet by packet.
///
/// A flow is a queue pair that carries one message: packets leave in turn with the other flows of the host's port, at
/// the flow's rate and within its window, take one of the shortest ways by a hash of their header, and are acknowledged
/// one by one. Switches share their memory among ports, pause neighbours (PFC), mark packets (ECN) and drop.
class Network {
 public:
  /// @throws ConfigError  a cable that names an unknown node, a rate of 0, a port without ECN thresholds, a switch
  /// whose
  ///                      buffer cannot hold its headrooms.
  Network(sim::Simulation& simulation, Topology topology, const Settings& settings);
  ~Network();

  /// Starts a flow of `bytes` from host to host now; `listener` hears of it by `owner`.
  /// @throws ConfigError  no way from source to destination. ModelError  more bytes than the reference's sequence
  ///                      numbers hold (astra).
  Flow& start(int source, int destination, std::uint64_t bytes, FlowListener* listener, void* owner);

  /// What the reference prints as the time of a flow that is alone: base RTT and all packets on the narrowest link.
  std::int64_t standalone_ns(const Flow& flow);
  Routes& routes() { return routes_; }
  const Topology& topology() const { return topology_; }
  const std::vector<std::unique_ptr<Switch>>& switches() const { return switches_; }
  /// Port of either kind; ports of a node count in order of the cables.
  Port& port(int node, int index);
  Context& context() { return context_; }
  /// f(const Port&) for all, in order of node and port.
  template <class F>
  void for_each_port(F f) const {
    for (std::size_t n = 0; n < nics_.size(); ++n) {
      for (const auto& p : nics_[n]) f(static_cast<const Port&>(*p));
      if (switch_of_[n] >= 0)
        for (const auto& p : switches_[static_cast<std::size_t>(switch_of_[n])]->ports())
          f(static_cast<const Port&>(*p));
    }
  }

 private:
  struct Path {
    std::uint64_t rtt_ns = 0, narrowest = 0;
  };
  void build();
  void set_ecn();
  Path path(int source, int destination);
  std::uint64_t bandwidth_delay(const Path& p) const;
  void find_widest();
  std::vector<SwitchPort*> way(int source, int destination, std::uint16_t source_port, std::uint16_t destination_port,
                               Nic*& first);
  void schedule_failures();
  void set_cable(int cable, bool up);
  std::size_t choose(int node, std::size_t count, int source, int destination, std::uint32_t ports) const;
  SwitchPort* next_port(Switch& at, const Packet& p);

  Context context_;
  Topology topology_;
  Routes routes_;
  std::vector<int> switch_of_;                           ///< node -> index of its switch, -1 for hosts
  std::vector<std::unique_ptr<Switch>> switches_;        ///< in order of node
  std::vector<std::vector<std::unique_ptr<Nic>>> nics_;  ///< by node
  std::map<std::pair<int, int>, std::uint16_t> ports_used_;
  std::uint64_t widest_window_ = 0;
  std::int64_t longest_rtt_ns_ = 0;
  Switch::Choose choose_;
  std::uint64_t sprayed_ = 0;
  struct Change : sim::Event {  ///< of a cable, at its time
    Change() : Event(nullptr) {}
    Network* network = nullptr;
    int cable = 0;
    bool up = false;
  };
  std::vector<std::unique_ptr<Change>> changes_;
  std::vector<std::pair<Port*, Port*>> ends_;  ///< of each cable
};

}  // namespace tutti::net::packet
