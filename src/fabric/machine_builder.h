#pragma once
#include <memory>
#include <string>

#include "fabric/graph.h"
#include "fabric/layout.h"
#include "fabric/sip_topology.h"
#include "fabric/topology.h"

namespace tutti::fabric {

/// Makes the graph of a checked topology, part by part, and notes the layout.
class MachineBuilder {
 public:
  MachineBuilder(const Topology& topology, const SipTopology& kind, const SipGrid& grid)
      : t_(topology), kind_(kind), grid_(grid), layout_(std::make_shared<Layout>()) {}
  Graph build();

 private:
  NodeId add(std::string path, const char* kind, Time overhead, Layout::Place place);
  void add_cube(int sip, int cube);
  void join_cubes(int sip);
  void add_io(int sip, int chiplet);
  void join_sips(int chiplet);

  const Topology& t_;
  const SipTopology& kind_;
  SipGrid grid_;
  std::shared_ptr<Layout> layout_;
  Graph g_;
};

}  // namespace tutti::fabric
