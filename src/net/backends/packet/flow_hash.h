#pragma once
#include <bit>
#include <cstdint>

namespace tutti::net::packet {

/// The IPv4 address that the reference gives to node `id`.
inline std::uint32_t address_of(int id) {
  const auto n = static_cast<std::uint32_t>(id);
  return 0x0b000001u + (n / 256) * 0x10000u + (n % 256) * 0x100u;
}

/// MurmurHash3 (32 bit, public domain by A. Appleby) of three words.
/// @param ports  source port, and destination port in the upper half.
inline std::uint32_t flow_hash(std::uint32_t source, std::uint32_t destination, std::uint32_t ports,
                               std::uint32_t seed) {
  std::uint32_t h = seed;
  for (std::uint32_t k : {source, destination, ports})
    h = std::rotl(h ^ (std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u), 13) * 5 + 0xe6546b64u;
  h ^= 12;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

}  // namespace tutti::net::packet
