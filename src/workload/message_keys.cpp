#include <tsl/robin_map.h>

#include <cstddef>

#include "workload/check_matching.h"

namespace tutti::workload {
namespace {

constexpr std::uint32_t left_out = UINT32_MAX;

struct KeyText {
  std::int64_t tag;
  std::uint32_t source, destination;
  bool operator==(const KeyText&) const = default;
};
struct Hash {
  std::size_t operator()(const KeyText& k) const {
    std::uint64_t h = static_cast<std::uint64_t>(k.tag) * 0x9E3779B97F4A7C15U;
    h ^= (std::uint64_t{k.source} << 32 | k.destination) * 0xC2B2AE3D27D4EB4FU;
    h ^= h >> 29;
    return static_cast<std::size_t>(h * 0xBF58476D1CE4E5B9U ^ h >> 32);
  }
};

/// Peer of a send or receive, or -1 if it has no valid key.
std::int64_t peer(const Node& n, std::size_t ranks) {
  const bool send = n.type == NodeType::comm_send;
  if (n.type == NodeType::comm_coll || n.is_cpu_op) return -1;
  if (!n.has(Attribute::comm_tag) || !n.has(Attribute::comm_size) || n.comm_tag < 0 || n.comm_size < 0) return -1;
  if (!n.has(send ? Attribute::comm_dst : Attribute::comm_src)) return -1;
  const std::int32_t p = send ? n.comm_dst : n.comm_src;
  return p >= 0 && static_cast<std::size_t>(p) < ranks ? p : -1;
}

}  // namespace

MessageKeys::MessageKeys(const std::vector<Trace>& traces, const std::vector<std::vector<std::uint32_t>>& order) {
  std::size_t all = 0;
  for (const auto& one : order) first_of_.push_back(all), all += one.size();
  of_.assign(all, left_out);
  tsl::robin_map<KeyText, std::uint32_t, Hash> ids;  // only looked up, never iterated
  for (std::uint32_t r = 0; r < traces.size(); ++r)
    for (std::size_t i = 0; i < order[r].size(); ++i) {
      const Node& n = traces[r].nodes[order[r][i]];
      const std::int64_t other = peer(n, traces.size());
      if (other < 0) continue;
      const bool send = n.type == NodeType::comm_send;
      const auto o = static_cast<std::uint32_t>(other);
      const KeyText text{n.comm_tag, send ? r : o, send ? o : r};
      const auto [it, fresh] = ids.try_emplace(text, static_cast<std::uint32_t>(keys_.size()));
      if (fresh) keys_.push_back({text.tag, text.source, text.destination, 0, 0, 0, 0});
      ++(send ? keys_[it->second].sends : keys_[it->second].receives);
      of_[first_of_[r] + i] = it->second;
    }
  std::uint64_t at = 0;
  for (Key& k : keys_) {
    k.first_send = at;
    k.first_receive = at += k.sends;
    at += k.receives;
    k.sends = k.receives = 0;  // counted again while the messages are put in place
  }
  messages_.resize(at);
  for (std::uint32_t r = 0; r < traces.size(); ++r)
    for (std::size_t i = 0; i < order[r].size(); ++i) {
      const std::uint32_t k = key_of(r, i);
      if (k == left_out) continue;
      const Node& n = traces[r].nodes[order[r][i]];
      Key& key = keys_[k];
      const std::uint64_t place =
          n.type == NodeType::comm_send ? key.first_send + key.sends++ : key.first_receive + key.receives++;
      messages_[place] = {order[r][i], static_cast<std::uint64_t>(n.comm_size)};
    }
}

}  // namespace tutti::workload
