#pragma once
#include <array>
#include <cstdint>

namespace tutti::net::packet {

/// MRG32k3a with streams and substreams: P. L'Ecuyer, R. Simard, E. Chen, W. Kelton, "An Object-Oriented Random-Number
/// Package with Many Long Streams and Substreams", Operations Research 50 (2002). ns-3 draws from it; so, in astra
/// semantics, do we, in the same order.
class CombinedGenerator {
 public:
  /// Stream `stream` (2^127 numbers apart), substream `run` (2^76 apart) of the generator whose six seeds are 1.
  CombinedGenerator(std::uint64_t stream, std::uint64_t run);

  /// Uniform in (0, 1).
  double next();
  /// From the start of this stream to that of the next.
  void next_stream();

 private:
  std::array<std::uint64_t, 6> start_{}, state_{};
};

}  // namespace tutti::net::packet
