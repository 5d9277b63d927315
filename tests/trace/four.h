#pragma once
#include <numeric>

#include "case.h"

namespace tutti::workload {

using K = CollectiveKind;
using Status = RunResult::Status;
constexpr std::int64_t MiB = 1 << 20;

/// Four ranks, fully connected, 50 GB/s of 2^30 and 500 ns: 1 MiB takes 20 031.25 ns.
struct Four : Case {
  explicit Four(bool astra, const std::string& net = network_text("FullyConnected", "4")) : Case(net) {
    settings.astra = astra;
    system = SystemText{}.text();
    for (std::uint32_t r = 0; r < 4; ++r) nodes[r] = {compute(99, 1)};
  }
};

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::uint64_t sent(const RunResult& r) {
  return std::accumulate(r.ranks.begin(), r.ranks.end(), std::uint64_t{0}, [](std::uint64_t sum, const RankResult& one) { return sum + one.bytes_sent; });
}

/// A two-rank exchange as an algorithm: each position sends 1000 bytes to the other.
inline void write_exchange(Four& c, const std::string& name, std::int32_t swap) {
  for (std::int32_t p = 0; p < 2; ++p) {
    TraceWriter w;
    w.add(send(1, (1 - p) ^ swap, 1000));
    w.add(receive(2, (1 - p) ^ swap, 1000));
    w.save(c.file(name + "." + std::to_string(p) + ".et", ""));
  }
}

}  // namespace tutti::workload
