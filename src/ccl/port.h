#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/numbered.h"

namespace tutti::ccl {

/// A logical port of a rank; the topology decides which rank is behind it. Source: ADR-0023 D3, D11, D17.
enum class Port : std::uint8_t { N, S, E, W, parent, child_left, child_right, spare };

inline constexpr std::size_t max_ports = 8;
inline constexpr std::array<std::string_view, max_ports> port_names = {"N",      "S",          "E",           "W",
                                                                       "parent", "child_left", "child_right", "spare"};

/// Endpoints of schedules may have more ports, which have numbers for names.
constexpr std::string_view name(Port p) {
  const auto i = static_cast<std::size_t>(p);
  return i < max_ports ? port_names[i] : numbered(i);
}
constexpr std::size_t index(Port p) { return static_cast<std::size_t>(p); }

/// The port at which pairing looks first. Parent pairs with whichever child port points back.
constexpr std::optional<Port> opposite(Port p) {
  switch (p) {
    case Port::N:
      return Port::S;
    case Port::S:
      return Port::N;
    case Port::E:
      return Port::W;
    case Port::W:
      return Port::E;
    case Port::child_left:
    case Port::child_right:
      return Port::parent;
    default:
      return std::nullopt;
  }
}

}  // namespace tutti::ccl
