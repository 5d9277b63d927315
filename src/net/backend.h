#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "base/units.h"
#include "net/message.h"
#include "net/network_file.h"
#include "sim/simulation.h"

namespace tutti::net {

/// What a link carried in a run.
struct LinkStatistics {
  std::string id;  ///< "dim0: 3 -> 4"
  std::uint64_t bytes = 0;
  Time busy;
};

/// Delivers messages between ranks in simulated time. All calls come from the thread that runs the Simulation.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::uint32_t ranks() const = 0;
  /// Sizes of the logical dimensions, dimension 0 fastest; their product is ranks().
  virtual std::vector<std::uint32_t> dimensions() const = 0;

  /// Starts `message` now. Any size, 0 included; source and destination below ranks(), and they may be equal (then it
  /// is delivered in this instant, as a new event). @throws ModelError  it would take longer than Time holds.
  virtual void send(Message& message) = 0;

  /// True if a receive posted after its bytes came completes inside the posting call instead of in a new event.
  virtual bool completes_late_receives_at_once() const { return false; }

  /// True if sends and receives meet as bytes of a stream in astra semantics, as in ns-3's front end, instead of
  /// message by message of equal size.
  virtual bool counts_bytes_in_astra() const { return false; }

  /// What a message costs on a path that no other traffic uses: at most one link into a switch and one link on. It
  /// leaves at d = max(posted, free); the first link is free again at d + held. No link: it is there at posted +
  /// through. One link: at d + through. Two links: it enters the second at d2 = max(d + head, free2), which is free
  /// again at f = max(d2 + held, d + tail); it is there at f + after.
  struct Crossing {
    int links = 0;
    Time held, through, head, tail, after;
    bool operator==(const Crossing&) const = default;
  };
  /// True if the path of such a message is used by no other pair of neighbours of a ring, and by nobody else while all
  /// ranks are busy with that ring alone: then `out` says what it costs, and its times may be computed without sending.
  virtual bool crossing(std::uint32_t /*source*/, std::uint32_t /*destination*/, std::uint64_t /*bytes*/,
                        Crossing& /*out*/) {
    return false;
  }
  /// Adds `messages` of `bytes` each, computed by crossing() instead of sent, to the statistics of their links.
  virtual void account(std::uint32_t /*source*/, std::uint32_t /*destination*/, std::uint64_t /*bytes*/,
                       std::uint64_t /*messages*/) {}

  /// Links that carried something, in a fixed order. Networks without links return none.
  virtual std::vector<LinkStatistics> links() const { return {}; }
};

/// What a backend is made from.
struct BackendOptions {
  bool astra = false;                 ///< reproduce ASTRA-sim, oddities included (docs/semantics.md)
  Bytes mtu = Bytes(4096);            ///< packet size of cut-through
  std::string logical_topology = {};  ///< file of the ranks' dimensions, for networks that do not say them
};

/// A registered backend: one file in backends/ and one line in backends/builtin.def.
struct BackendKind {
  std::string_view name;
  std::string_view summary;
  /// From an analytical network file; null for backends that read another kind.
  std::unique_ptr<Backend> (*make)(sim::Simulation&, const NetworkFile&, const BackendOptions&);
  /// Reads `file` itself; null for those of analytical files.
  std::unique_ptr<Backend> (*open)(sim::Simulation&, const std::string& file, const BackendOptions&) = nullptr;
};

const Registry<BackendKind>& backends();
/// @throws ConfigError  unknown name; lists the known ones.
const BackendKind& backend(std::string_view name);
/// The backend `name` for the network of `file`. @throws ConfigError  unknown name; a fault of the file.
std::unique_ptr<Backend> open_backend(std::string_view name, sim::Simulation& simulation, const std::string& file,
                                      const BackendOptions& options);

}  // namespace tutti::net
