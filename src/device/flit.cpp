#include "device/flit.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace tutti::device {
namespace {

constexpr std::uint64_t flag = std::uint64_t{1} << 63;

/// Byte `i` of a flit, counted from the most significant one.
void put(DataFlit& f, std::size_t i, std::byte b) {
  f.words[i / 8] |= static_cast<std::uint64_t>(b) << (56 - 8 * (i % 8));
}
std::byte get(const DataFlit& f, std::size_t i) {
  return static_cast<std::byte>(f.words[i / 8] >> (56 - 8 * (i % 8)) & 0xffu);
}
std::uint64_t routing(const FlitHeader& h) {
  return static_cast<std::uint64_t>(h.vc) << 61 | static_cast<std::uint64_t>(h.route) << 32;
}

}  // namespace

std::vector<DataFlit> pack(const FlitHeader& h, std::span<const std::byte> bytes) {
  if (h.vc > 3 || h.route >= 1u << 29) throw ModelError("flit: vc has 2 bits and route 29");
  if (h.local_offset % 64 != 0 || h.local_offset >> 38 != 0)
    throw ModelError("flit: a slot lies at a multiple of 64 B below 256 GiB");
  std::vector<DataFlit> flits(flit_count(bytes.size()));
  for (DataFlit& f : flits) f.words[0] = routing(h);
  flits[0].words[0] |= flag | h.sender_seq;
  flits[0].words[1] = h.local_offset / 64 << 32;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i < first_payload)
      put(flits[0], 12 + i, bytes[i]);
    else
      put(flits[1 + (i - first_payload) / later_payload], 4 + (i - first_payload) % later_payload, bytes[i]);
  }
  return flits;
}

CreditFlit pack(const CreditContent& c) { return {{flag | c.consumer_seq, c.dst_rx_base_pa}}; }

CreditContent unpack(const CreditFlit& f) {
  if (!(f.words[0] & flag)) throw ModelError("flit: not a credit");
  return {static_cast<std::uint32_t>(f.words[0]), f.words[1]};
}

std::optional<FlitReceiver::Message> FlitReceiver::take(const DataFlit& f, std::uint64_t bytes) {
  const bool first = f.words[0] & flag;
  if (first == latched_.has_value()) throw ModelError("flit: messages of one virtual channel are mixed");
  if (first)
    latched_ = {
        {static_cast<std::uint8_t>(f.words[0] >> 61 & 3u), static_cast<std::uint32_t>(f.words[0] >> 32 & 0x1fff'ffffu),
         static_cast<std::uint32_t>(f.words[0]), (f.words[1] >> 32) * 64},
        {}};
  const std::uint64_t n =
      std::min<std::uint64_t>(first ? first_payload : later_payload, bytes - latched_->bytes.size());
  for (std::size_t i = 0; i < n; ++i) latched_->bytes.push_back(get(f, (first ? 12 : 4) + i));
  if (latched_->bytes.size() < bytes) return std::nullopt;
  return std::exchange(latched_, std::nullopt);
}

}  // namespace tutti::device
