#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tutti::plan {

/// How a message's bytes lie on the wire, so that the receiver knows when they are there. Source: NCCL; nccl #281.
enum class Protocol : std::uint8_t {
  simple,  ///< the bytes, and one flag after all of them, which the queue's metadata carries: no byte more
  ll,      ///< lines of 8 B: 4 B of data and 4 B of flag. Needs stores of 8 B that arrive whole
  ll128,   ///< lines of 128 B: 120 B of data and 8 B of flag. Needs 128 B that arrive whole and in order
};
std::string_view name(Protocol p);
/// @throws ConfigError  unknown; lists what is known.
Protocol protocol(std::string_view name);

/// Bytes on the wire of a message of `payload` bytes: whole lines. LL twice the payload, LL128 128/120 of it.
Bytes wire_bytes(Protocol p, Bytes payload);

/// The message as lines, each with `flag`, which differs from message to message. The last line is filled with zeros.
std::vector<std::byte> pack(Protocol p, std::span<const std::byte> payload, std::uint32_t flag);

/// Reads `payload.size()` bytes back. False if some line has not arrived: its flag is not `flag`. The lines before it
/// are read. Simple has no flags and is always there.
/// @pre wire.size() == wire_bytes(p, payload.size()).
bool unpack(Protocol p, std::span<const std::byte> wire, std::uint32_t flag, std::span<std::byte> payload);

/// @throws ConfigError  LL128 on a path that may reorder the parts of a line.
void check_path(Protocol p, bool in_order);

}  // namespace tutti::plan
