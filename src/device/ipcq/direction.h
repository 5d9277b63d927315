#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/numbered.h"

namespace tutti::device {

/// A logical port of a PE; which peer it leads to is the host's choice. Ports from max_ports on have numbers only: a
/// schedule whose ranks speak to many peers uses them, hardware as in ADR-0023 D21 has none (hw_strict). Source:
/// ADR-0023 D3, D11, D17.
enum class Direction : std::uint8_t { N, S, E, W, parent, child_left, child_right, spare };

inline constexpr std::size_t max_ports = 8;
inline constexpr std::array<std::string_view, max_ports> direction_names = {
    "N", "S", "E", "W", "parent", "child_left", "child_right", "spare"};

inline constexpr std::size_t max_queue_pairs = 256;  ///< of a PE: named and numbered ports

constexpr std::string_view name(Direction d) {
  const auto i = static_cast<std::size_t>(d);
  return i < max_ports ? direction_names[i] : numbered(i);
}

constexpr std::optional<Direction> direction_from(std::string_view text) {
  for (std::size_t i = 0; i < max_ports; ++i)
    if (direction_names[i] == text) return static_cast<Direction>(i);
  return std::nullopt;
}

/// The port at which pairing looks first: E-W, N-S. A child pairs with parent; parent and spare have no fixed opposite,
/// so that the tables decide.
constexpr std::optional<Direction> opposite(Direction d) {
  switch (d) {
    case Direction::N:
      return Direction::S;
    case Direction::S:
      return Direction::N;
    case Direction::E:
      return Direction::W;
    case Direction::W:
      return Direction::E;
    case Direction::child_left:
    case Direction::child_right:
      return Direction::parent;
    default:
      return std::nullopt;
  }
}

}  // namespace tutti::device
