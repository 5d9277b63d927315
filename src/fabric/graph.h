#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.h"

namespace tutti::fabric {

using NodeId = std::uint32_t;
using LinkId = std::uint32_t;
inline constexpr std::uint32_t no_id = UINT32_MAX;

struct Layout;

/// A part that packets start at, pass through or end at. `overhead` is paid once by each packet that visits it.
struct Node {
  std::string path;  ///< "sip0.cube5.pe3.pe_dma"
  std::string kind;  ///< "pe_dma", "router", "ucie", ...
  Time overhead;
};

/// A directed wire. Its latency is distance x ns_per_mm, rounded to the nearest picosecond.
struct Link {
  NodeId source;
  NodeId destination;
  std::string kind;
  Bandwidth bandwidth;
  double distance_mm;
  Time latency;
};

/// Links in order from source to destination.
using Route = std::vector<LinkId>;

/// Nodes and directed links, numbered in the order in which they were added.
class Graph {
 public:
  /// @throws ConfigError  the path is taken.
  NodeId add_node(std::string path, std::string kind, Time overhead);
  /// Adds one link each way; both have their own occupancy. @throws ConfigError  no bandwidth or negative distance.
  void connect(NodeId a, NodeId b, const std::string& kind, Bandwidth bandwidth, double distance_mm, double ns_per_mm);
  /// Adds a link one way. @throws ConfigError  as connect().
  LinkId add_link(NodeId from, NodeId to, const std::string& kind, Bandwidth bandwidth, double distance_mm,
                  double ns_per_mm);
  /// @throws ConfigError  no such node.
  NodeId node(const std::string& path) const;
  /// First link from one node to another; no_id if there is none.
  LinkId link(NodeId from, NodeId to) const;
  /// "sip0.cube0.r0_0 -> sip0.cube0.r0_1"
  std::string name(LinkId link) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<LinkId>& outgoing(NodeId n) const { return outgoing_[n]; }
  const std::vector<LinkId>& incoming(NodeId n) const { return incoming_[n]; }

  /// Where the parts of a machine stand; null for a graph made by hand.
  const Layout* layout() const { return layout_.get(); }
  void set_layout(std::shared_ptr<const Layout> layout) { layout_ = std::move(layout); }

 private:
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<std::vector<LinkId>> outgoing_, incoming_;
  std::unordered_map<std::string, NodeId> by_path_;
  std::shared_ptr<const Layout> layout_;
};

/// Fewest-latency route (overheads and wires; first found wins ties, in order of link number); empty if the ends are
/// one node.
/// @throws ConfigError  naming both ends, if there is none.
Route shortest_route(const Graph& graph, NodeId source, NodeId destination);

/// Sum of node overheads, both ends included, and of wire latencies. For an empty route: the overhead of `source`.
Time head_latency(const Graph& graph, NodeId source, const Route& route);
/// Narrowest link. @pre route is not empty.
Bandwidth bottleneck(const Graph& graph, const Route& route);
/// head_latency + size / bottleneck, that last term rounded up once.
Time path_latency(const Graph& graph, NodeId source, const Route& route, Bytes size);

}  // namespace tutti::fabric
