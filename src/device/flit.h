#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tutti::device {

/// 512 bits on a link, most significant word first: words[0] holds bits 511 to 448. Source: ADR-0023 D19.
struct DataFlit {
  std::array<std::uint64_t, 8> words{};
  bool operator==(const DataFlit&) const = default;
};
/// 128 bits: words[0] holds bits 127 to 64.
struct CreditFlit {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const CreditFlit&) const = default;
};

/// What the first flit of a message carries. The slot's offset counts granules of 64 B (spec C22), so that 32 bits name
/// 256 GiB and slots are 64 B aligned.
struct FlitHeader {
  std::uint8_t vc = 1;      ///< 2 bits
  std::uint32_t route = 0;  ///< route and hop, 29 bits
  std::uint32_t sender_seq = 0;
  std::uint64_t local_offset = 0;  ///< of the slot in its memory, a multiple of 64 below 2^38
  bool operator==(const FlitHeader&) const = default;
};
struct CreditContent {
  std::uint32_t consumer_seq = 0;
  std::uint64_t dst_rx_base_pa = 0;
  bool operator==(const CreditContent&) const = default;
};

inline constexpr std::size_t first_payload = 52, later_payload = 60;
/// Flits of a message of `bytes`: at least one. 64 B wire each.
constexpr std::uint64_t flit_count(std::uint64_t bytes) {
  return bytes <= first_payload ? 1 : 1 + (bytes - first_payload + later_payload - 1) / later_payload;
}

/// First flit: [511] ipcq_flag, [510:509] vc, [508:480] route, [479:448] sender_seq, [447:416] offset / 64, [415:0]
/// payload of 52 B; later ones: [511:480] header without the flag, [479:0] payload of 60 B. The payload's first byte is
/// the most significant.
/// @throws ModelError  a field that its bits do not hold, an offset that is not a multiple of 64.
std::vector<DataFlit> pack(const FlitHeader& header, std::span<const std::byte> bytes);
/// [127] credit_flag, [95:64] consumer_seq, [63:0] dst_rx_base_pa.
CreditFlit pack(const CreditContent& credit);
/// @throws ModelError  no credit_flag.
CreditContent unpack(const CreditFlit& flit);

/// The receiving end of one input virtual channel: metadata is latched from the first flit and handed on with the tail
/// flit only, when the whole message is written (spec C23). One message at a time on a channel.
class FlitReceiver {
 public:
  struct Message {
    FlitHeader header;
    std::vector<std::byte> bytes;
  };
  /// @param bytes  of the message, known from the routing layer. @return the message with its tail flit.
  /// @throws ModelError  a first flit inside of a message, or a later one outside.
  std::optional<Message> take(const DataFlit& flit, std::uint64_t bytes);
  bool busy() const { return latched_.has_value(); }

 private:
  std::optional<Message> latched_;
};

}  // namespace tutti::device
