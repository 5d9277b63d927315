#pragma once
#include <cstdint>

#include "base/random.h"
#include "net/backends/packet/ns3/combined_generator.h"

namespace tutti::net::packet {

/// Random numbers for losses and marks, uniform in [0, 1).
///
/// In astra semantics they are the reference's own, for `seed` its run number: losses come from one stream, and every
/// mark that has to be drawn is the first number of the next stream, of which a pause frame uses one up as well.
class Draws {
 public:
  /// @param nodes  of the network: the reference uses up nine streams for each before the first mark, and two more.
  Draws(bool reference, std::uint64_t seed, int nodes)
      : reference_(reference),
        random_(seed),
        loss_(loss_stream, reference ? seed : 1),
        mark_(9 * static_cast<std::uint64_t>(nodes) + 2, reference ? seed : 1) {}

  double loss() { return reference_ ? loss_.next() : random_.unit(); }
  double mark() {
    if (!reference_) return random_.unit();
    const double u = mark_.next();
    mark_.next_stream();
    return u;
  }
  void pause() {
    if (reference_) mark_.next_stream();
  }
  double other() { return random_.unit(); }

 private:
  static constexpr std::uint64_t loss_stream = (std::uint64_t{1} << 63) + 50;
  bool reference_;
  Random random_;
  CombinedGenerator loss_, mark_;
};

}  // namespace tutti::net::packet
