#pragma once
#include <cstdint>
#include <string_view>

#include "base/config.h"
#include "base/registry.h"
#include "net/backends/packet/topology.h"

namespace tutti::net::packet {

/// A registered generator: one file in topologies/ and one line in topologies/builtin.def.
struct TopologyKind {
  std::string_view name;
  std::string_view summary;
  /// Reads its keys; what is wrong is recorded as a fault of the file, and the result is then of no use. Hosts are
  /// nodes 0, 1, ... in the order of ranks, switches come after them.
  Topology (*make)(const ConfigMap& keys);
};
const Registry<TopologyKind>& topologies();

/// Cables of one kind: `{rate: 400 Gbps, delay: 500 ns, cables: 1, loss: 0}`.
struct CableSpec {
  std::uint64_t rate = 1;     ///< bits a second
  std::int64_t delay_ns = 0;  ///< one way
  int cables = 1;             ///< side by side
  double loss = 0;
};
CableSpec read_cable(const ConfigMap& keys, std::string_view key);

/// A number of things, 1 or more unless `low` says otherwise; more than 2^20 are a fault.
int read_count(const ConfigMap& keys, std::string_view key, int low = 1);

/// Collects nodes and cables. What grows beyond 2^20 nodes or 2^23 cables is recorded as a fault and left out.
class TopologyBuilder {
 public:
  explicit TopologyBuilder(const ConfigMap& keys) : keys_(keys) {}
  /// Before any switch. @return the first of them.
  int add_hosts(std::int64_t count) { return add(count, false); }
  int add_switches(std::int64_t count) { return add(count, true); }
  void connect(int a, int b, const CableSpec& spec);
  /// Switches first..first+above-1, each with cables to each of below_first..below_first+below-1.
  void connect_all(int below_first, int below, int first, int above, const CableSpec& spec);
  bool usable() const { return usable_; }
  Topology take();

 private:
  int add(std::int64_t count, bool is_switch);
  const ConfigMap& keys_;
  Topology out_;
  bool usable_ = true;
};

}  // namespace tutti::net::packet
