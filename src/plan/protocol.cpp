#include "plan/protocol.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::plan {
namespace {

struct Line {
  std::size_t data, flag;  ///< bytes
  std::size_t size() const { return data + flag; }
};
Line line(Protocol p) { return p == Protocol::ll ? Line{4, 4} : p == Protocol::ll128 ? Line{120, 8} : Line{1, 0}; }

/// A flag of 8 B repeats the 4.
bool same(const std::byte* at, std::size_t bytes, std::uint32_t flag) {
  for (std::size_t i = 0; i < bytes; i += 4)
    if (std::memcmp(at + i, &flag, 4) != 0) return false;
  return true;
}

}  // namespace

std::string_view name(Protocol p) { return p == Protocol::simple ? "Simple" : p == Protocol::ll ? "LL" : "LL128"; }

Protocol protocol(std::string_view text) {
  for (const Protocol p : {Protocol::simple, Protocol::ll, Protocol::ll128})
    if (name(p) == text) return p;
  throw ConfigError(fmt::format("error: unknown protocol '{}'; known: Simple, LL, LL128", text));
}

Bytes wire_bytes(Protocol p, Bytes payload) {
  if (p == Protocol::simple) return payload;
  const auto data = static_cast<std::int64_t>(line(p).data), size = static_cast<std::int64_t>(line(p).size());
  return Bytes((payload.count() + data - 1) / data * size);
}

std::vector<std::byte> pack(Protocol p, std::span<const std::byte> payload, std::uint32_t flag) {
  if (p == Protocol::simple) return {payload.begin(), payload.end()};
  const Line l = line(p);
  std::vector<std::byte> wire(
      static_cast<std::size_t>(wire_bytes(p, Bytes(static_cast<std::int64_t>(payload.size()))).count()));
  for (std::size_t from = 0, to = 0; from < payload.size(); from += l.data, to += l.size()) {
    std::memcpy(wire.data() + to, payload.data() + from, std::min(l.data, payload.size() - from));
    for (std::size_t i = 0; i < l.flag; i += 4) std::memcpy(wire.data() + to + l.data + i, &flag, 4);
  }
  return wire;
}

bool unpack(Protocol p, std::span<const std::byte> wire, std::uint32_t flag, std::span<std::byte> payload) {
  CHECK(
      wire.size() == static_cast<std::size_t>(wire_bytes(p, Bytes(static_cast<std::int64_t>(payload.size()))).count()),
      "as many lines as the payload needs");
  if (p == Protocol::simple) {
    std::copy(wire.begin(), wire.end(), payload.begin());
    return true;
  }
  const Line l = line(p);
  for (std::size_t to = 0, from = 0; to < payload.size(); to += l.data, from += l.size()) {
    if (!same(wire.data() + from + l.data, l.flag, flag)) return false;
    std::memcpy(payload.data() + to, wire.data() + from, std::min(l.data, payload.size() - to));
  }
  return true;
}

void check_path(Protocol p, bool in_order) {
  if (p == Protocol::ll128 && !in_order)
    throw ConfigError("error: LL128 needs 128 B that arrive whole and in order; this path may reorder them");
}

}  // namespace tutti::plan
