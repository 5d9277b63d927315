#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace tutti {

/// Seeded random numbers, bit-identical on every machine and compiler.
/// xoshiro256** (Blackman and Vigna 2018), its state filled from the seed by splitmix64.
class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit constexpr Random(std::uint64_t seed) {
    for (auto& word : state_) word = splitmix64(seed);
  }
  /// @pre not all four words are zero.
  explicit constexpr Random(const State& state) : state_(state) {}

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound), without bias. @pre bound > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t reject = (0 - bound) % bound;
    std::uint64_t value = next();
    while (value < reject) value = next();
    return value % bound;
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// A generator with a seed drawn from this one, so that parts of a run do not disturb each other.
  constexpr Random split() { return Random(next()); }

  /// Advances `state` and returns its next number.
  static constexpr std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  State state_{};
};

}  // namespace tutti
