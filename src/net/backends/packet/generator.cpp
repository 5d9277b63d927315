#include "net/backends/packet/generator.h"

#include <utility>

namespace tutti::net::packet {
namespace {
constexpr int most_nodes = 1 << 20;
constexpr std::size_t most_cables = std::size_t{1} << 23;
}  // namespace

CableSpec read_cable(const ConfigMap& keys, std::string_view key) {
  const ConfigMap map = keys.map(key);
  CableSpec out;
  if (!map.present()) {
    keys.at(key).fault("is needed: {rate: 400 Gbps, delay: 500 ns}");
    return out;
  }
  out.rate = static_cast<std::uint64_t>(map.bandwidth("rate").bits_per_second());
  const ConfigValue delay = map.at("delay");
  const std::int64_t ps = delay.time({}, {.low = Time(), .high = Time::s(10)}).ps();
  if (ps % 1000 != 0) delay.fault("whole ns are needed");
  out.delay_ns = ps / 1000;
  out.cables = static_cast<int>(map.integer("cables", 1, {.low = 1, .high = 1024}));
  out.loss = map.number("loss", 0.0, {.low = 0.0, .high = 1.0});
  if (out.rate == 0) out.rate = 1;
  return out;
}

int read_count(const ConfigMap& keys, std::string_view key, int low) {
  return static_cast<int>(keys.integer(key, {}, {.low = low, .high = most_nodes}));
}

int TopologyBuilder::add(std::int64_t count, bool is_switch) {
  const int first = out_.nodes;
  if (!usable_ || count < 0 || count > most_nodes - out_.nodes) {
    if (usable_) keys_.fault("more than 1048576 nodes");
    usable_ = false;
    return first;
  }
  out_.nodes += static_cast<int>(count);
  out_.is_switch.resize(static_cast<std::size_t>(out_.nodes), is_switch);
  return first;
}

void TopologyBuilder::connect(int a, int b, const CableSpec& spec) {
  if (!usable_) return;
  if (out_.cables.size() + static_cast<std::size_t>(spec.cables) > most_cables) {
    keys_.fault("more than 8388608 cables");
    usable_ = false;
    return;
  }
  for (int k = 0; k < spec.cables; ++k) out_.cables.push_back({a, b, spec.rate, spec.delay_ns, spec.loss});
}

void TopologyBuilder::connect_all(int below_first, int below, int first, int above, const CableSpec& spec) {
  for (int i = 0; i < below && usable_; ++i)
    for (int j = 0; j < above && usable_; ++j) connect(below_first + i, first + j, spec);
}

Topology TopologyBuilder::take() { return usable_ ? std::move(out_) : Topology{}; }

}  // namespace tutti::net::packet
