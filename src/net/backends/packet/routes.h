#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "net/backends/packet/topology.h"

namespace tutti::net::packet {

/// Shortest ways by number of hops; hosts do not forward. A table is made when a destination is first asked for, and
/// hosts behind one switch share the switch's.
class Routes {
 public:
  /// @param one_cable  of parallel cables between two nodes only the last is used, and equally good next hops stand in
  ///                   order of descending node, as in the reference; otherwise all are used, in order of the port.
  Routes(const Topology& topology, bool one_cable);

  struct NextHops {
    const int* ports = nullptr;
    std::size_t count = 0;
    int operator[](std::size_t i) const { return ports[i]; }
  };
  /// Ports of `node`, counted in order of the cables at it, that lead to `destination`; none if there is no way.
  NextHops next_hops(int node, int destination);
  /// Number of cables between the two; -1 if there is no way.
  int distance(int node, int destination);
  /// The node at the other end, and the cable.
  int neighbour(int node, int port) const { return at(node, port).node; }
  int cable(int node, int port) const { return at(node, port).cable; }
  std::size_t ports(int node) const { return ports_[static_cast<std::size_t>(node)].size(); }

  /// A cable fails or is repaired: tables are made anew.
  void set_up(int cable, bool up);
  bool up(int cable) const { return up_[static_cast<std::size_t>(cable)]; }

 private:
  struct End {
    int node, cable;
    int port;  ///< of that node
  };
  struct Table {
    std::vector<std::uint32_t> first;  ///< by node, one more at the end
    std::vector<int> ports;
    std::vector<int> distance;
  };
  const End& at(int node, int port) const {
    return ports_[static_cast<std::size_t>(node)][static_cast<std::size_t>(port)];
  }
  const Table& table(int root);
  Table make(int root) const;
  /// Ports of a node in the order in which neighbours are visited.
  void arrange();
  /// The only switch that a host is attached to by one usable cable; -1 if it has others.
  int attachment(int node) const;

  const Topology topology_;
  bool one_cable_;
  std::vector<std::vector<End>> ports_;
  std::vector<std::vector<int>> visit_;
  std::vector<bool> up_;
  std::unordered_map<int, Table> tables_;
  int only_ = 0;  ///< the answer of the last question that had one
};

}  // namespace tutti::net::packet
