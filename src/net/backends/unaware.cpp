/// A network on which messages never meet: each takes the latency of its hops and one serialization.
///
/// Default: T = sum over dimensions of hops * latency + bytes / (the lowest rate crossed), to the picosecond.
/// ASTRA-sim:  T = trunc(hops * latency + bytes / rate) ns of the lowest dimension in which the ranks differ.
#include <algorithm>

#include "net/backend.h"
#include "net/backends/grid.h"

namespace tutti::net {
namespace {

class Unaware final : public Backend {
 public:
  Unaware(sim::Simulation& simulation, const NetworkFile& file, const BackendOptions& options)
      : simulation_(simulation), dimensions_(file.dimensions), grid_(file.dimensions), astra_(options.astra) {}

  std::uint32_t ranks() const override { return grid_.ranks(); }
  std::vector<std::uint32_t> dimensions() const override {
    std::vector<std::uint32_t> sizes;
    for (const Dimension& d : dimensions_) sizes.push_back(d.size);
    return sizes;
  }

  void send(Message& m) override {
    m.fire = [](sim::Event& e) {
      auto& message = static_cast<Message&>(e);
      message.sent(message);
      message.delivered(message);
    };
    simulation_.after(duration(m.source, m.destination, m.bytes), m);
  }

  bool crossing(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, Crossing& out) override {
    out = {};
    out.through = duration(source, destination, bytes);
    return true;
  }

 private:
  Time duration(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes) const {
    return astra_ ? one_dimension(source, destination, bytes) : all_dimensions(source, destination, bytes);
  }

  std::uint32_t hops(std::uint32_t k, std::uint32_t from, std::uint32_t to) const {
    bool clockwise = false;
    switch (dimensions_[k].shape) {
      case Shape::ring:
        return grid_.ring_steps(k, grid_.coordinate(from, k), grid_.coordinate(to, k), clockwise);
      case Shape::fully_connected:
        return 1;
      case Shape::switched:
        return 2;
    }
    return 0;
  }

  Time one_dimension(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes) const {
    const std::uint32_t k = grid_.first_difference(source, destination);
    if (k == dimensions_.size()) return Time();
    const std::uint32_t n = hops(k, source, destination);
    // Messages of a collective are mostly alike, and a division is dear.
    if (bytes != last_.bytes || k != last_.dimension || n != last_.hops)
      last_ = {bytes, k, n,
               whole_ns(dimensions_[k].latency_ns * n + static_cast<double>(bytes) / dimensions_[k].bytes_per_ns)};
    return last_.time;
  }

  Time all_dimensions(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes) const {
    Time latency;
    Bandwidth narrowest;
    for (std::uint32_t k = 0; k < dimensions_.size(); ++k) {
      if (grid_.coordinate(source, k) == grid_.coordinate(destination, k)) continue;
      latency += dimensions_[k].latency * hops(k, source, destination);
      if (narrowest == Bandwidth() || dimensions_[k].rate < narrowest) narrowest = dimensions_[k].rate;
    }
    return narrowest == Bandwidth() ? Time() : latency + checked_serialization(bytes, narrowest);
  }

  sim::Simulation& simulation_;
  std::vector<Dimension> dimensions_;
  Grid grid_;
  bool astra_;
  struct Last {
    std::uint64_t bytes = 0;
    std::uint32_t dimension = UINT32_MAX, hops = 0;
    Time time;
  };
  mutable Last last_;
};

}  // namespace

BackendKind unaware_backend() {
  return {"unaware", "messages never meet: latency of the hops and one serialization",
          [](sim::Simulation& s, const NetworkFile& f, const BackendOptions& o) -> std::unique_ptr<Backend> {
            return std::make_unique<Unaware>(s, f, o);
          }};
}

}  // namespace tutti::net
