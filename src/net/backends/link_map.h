#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/backends/grid.h"

namespace tutti::net {

/// The directed links of an analytical network, made when first used: a ring has two a rank and dimension, a switch one
/// up and one down, and a fully connected dimension one for each ordered pair.
/// @tparam Link  constructible from (const Dimension&).
template <class Link>
class LinkMap {
 public:
  struct Place {
    std::uint32_t dimension, rank,
        port;  ///< port: ring 0 clockwise, 1 anticlockwise; switch 0 up, 1 down; else the coordinate it leads to
  };

  LinkMap(const std::vector<Dimension>& dimensions, const Grid& grid) : dimensions_(dimensions), grid_(grid) {
    std::uint64_t base = 0;
    for (const Dimension& d : dimensions_) {
      bases_.push_back(base);
      base += d.shape == Shape::fully_connected ? 0 : std::uint64_t{2} * grid.ranks();
    }
    fixed_.resize(base, nullptr);
  }

  Link& at(Place p) {
    Link*& slot =
        dimensions_[p.dimension].shape == Shape::fully_connected
            ? pairs_[(std::uint64_t{p.rank} * grid_.size(p.dimension) + p.port) * dimensions_.size() + p.dimension]
            : fixed_[bases_[p.dimension] + std::uint64_t{2} * p.rank + p.port];
    if (!slot) {
      made_.emplace_back(p, std::make_unique<Link>(dimensions_[p.dimension]));
      slot = made_.back().second.get();
    }
    return *slot;
  }

  /// Calls f(name, link) for every link made, in the order in which they were first used.
  template <class F>
  void each(F&& f) const {
    for (const auto& [p, link] : made_) f(name(p), *link);
  }

 private:
  std::string name(Place p) const {
    const Dimension& d = dimensions_[p.dimension];
    const std::string rank = std::to_string(p.rank), head = "dim" + std::to_string(p.dimension) + ": ";
    if (d.shape == Shape::switched) return head + (p.port == 0 ? rank + " -> switch" : "switch -> " + rank);
    const std::uint32_t n = d.size, c = grid_.coordinate(p.rank, p.dimension);
    const std::uint32_t to = d.shape == Shape::fully_connected ? p.port : (p.port == 0 ? c + 1 : c + n - 1) % n;
    return head + rank + " -> " + std::to_string(grid_.moved(p.rank, p.dimension, to));
  }

  const std::vector<Dimension>& dimensions_;
  const Grid& grid_;
  std::vector<std::uint64_t> bases_;
  std::vector<Link*> fixed_;
  std::unordered_map<std::uint64_t, Link*> pairs_;  // looked up only: never iterated
  std::vector<std::pair<Place, std::unique_ptr<Link>>> made_;
};

/// The next hop of a message in dimension order. Ring: the shorter way, ties clockwise. Switch: up, then down.
struct Hop {
  std::uint32_t dimension = 0, rank = 0, port = 0;  ///< the link's place
  std::uint32_t to = 0;                             ///< rank reached, beyond the switch if there is one
  bool to_switch = false;
};

/// @pre at != destination
inline Hop next_hop(const Grid& grid, const std::vector<Dimension>& dimensions, std::uint32_t at,
                    std::uint32_t destination) {
  Hop h;
  h.dimension = grid.first_difference(at, destination);
  h.rank = at;
  const std::uint32_t from = grid.coordinate(at, h.dimension), to = grid.coordinate(destination, h.dimension),
                      n = grid.size(h.dimension);
  switch (dimensions[h.dimension].shape) {
    case Shape::ring: {
      bool clockwise = false;
      grid.ring_steps(h.dimension, from, to, clockwise);
      h.port = clockwise ? 0 : 1;
      h.to = grid.moved(at, h.dimension, clockwise ? (from + 1) % n : (from + n - 1) % n);
      break;
    }
    case Shape::fully_connected:
      h.port = to;
      h.to = grid.moved(at, h.dimension, to);
      break;
    case Shape::switched:
      h.to = grid.moved(at, h.dimension, to);
      h.to_switch = true;
      break;
  }
  return h;
}

}  // namespace tutti::net
