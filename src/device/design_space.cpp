#include "device/design_space.h"

#include <algorithm>
#include <tuple>

namespace tutti::device {
namespace {

constexpr Protocol all_protocols[] = {Protocol::ipcq, Protocol::credit_in_data, Protocol::doorbell,
                                      Protocol::message_queue, Protocol::completion_queue};
constexpr std::uint64_t small_message = 64;

std::int32_t pes_of_a_cube(const fabric::Topology& t) { return static_cast<std::int32_t>(t.pes.size()); }

}  // namespace

std::vector<Pair> distances(const fabric::Topology& t) {
  std::vector<Pair> pairs;
  const std::int32_t cube = pes_of_a_cube(t), sip = cube * t.cube_rows * t.cube_columns;
  if (cube > 1) pairs.push_back({"in a cube", 0, 1});
  if (sip > cube) pairs.push_back({"cube to cube", 0, cube});
  if (t.sips > 1) pairs.push_back({"SIP to SIP", 0, sip});
  return pairs;
}

std::vector<ProtocolRow> compare_protocols(const fabric::Topology& t, const MachineSpec& spec, const IpcqConfig& queues,
                                           const HardwareParameters& hardware) {
  std::vector<ProtocolRow> rows;
  for (const Pair& pair : distances(t)) {
    Time ipcq;
    for (const Protocol p : all_protocols) {
      IpcqConfig q = queues;
      q.protocol = p;
      const HardwareCost cost = hardware_cost(q, hardware);
      ProtocolRow row{pair, p, {}, 1, 0, 0, 0, cost.adr_mm2, cost.ring_bytes};
      row.latency =
          measure_transfer(t, spec, q, pair.from, pair.to, std::min<std::uint64_t>(small_message, q.slot_size), 1)
              .first;
      if (p == Protocol::ipcq) ipcq = row.latency;
      row.times = row.latency.ns() / ipcq.ns();
      row.gbs = measure_transfer(t, spec, q, pair.from, pair.to, q.slot_size, 100).gbs;
      const Transfer both = measure_transfer(t, spec, q, pair.from, pair.to,
                                             std::min<std::uint64_t>(small_message, q.slot_size), 64, true);
      row.packets = both.packets, row.bytes = both.bytes;
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<SlotRow> slots_against_rate(const fabric::Topology& t, const MachineSpec& spec, const IpcqConfig& queues,
                                        Pair pair, const std::vector<std::uint32_t>& n_slots) {
  IpcqConfig q = queues;
  q.credit_wait = CreditWait::posted;
  q.n_slots = 1;
  // With one slot each message waits for the credit of the one before: its rate is one slot a round trip.
  const double one = measure_transfer(t, spec, q, pair.from, pair.to, q.slot_size, 20).gbs;
  fabric::Graph graph = fabric::build(t);
  const auto node = [&](std::int32_t pe) {
    const std::int32_t cube = pes_of_a_cube(t), sip = cube * t.cube_rows * t.cube_columns;
    return graph.node("sip" + std::to_string(pe / sip) + ".cube" + std::to_string(pe % sip / cube) + ".pe" +
                      std::to_string(pe % cube) + ".pe_dma");
  };
  const double link =
      fabric::bottleneck(graph, fabric::shortest_route(graph, node(pair.from), node(pair.to))).bytes_per_ns();
  std::vector<SlotRow> rows;
  for (const std::uint32_t n : n_slots) {
    q.n_slots = n;
    rows.push_back({n, std::min(link, n * one),
                    measure_transfer(t, spec, q, pair.from, pair.to, q.slot_size, static_cast<int>(100 + 10 * n)).gbs});
  }
  return rows;
}

std::vector<DesignPoint> design_space(const fabric::Topology& t, const MachineSpec& spec, const IpcqConfig& queues,
                                      const HardwareParameters& hardware, Pair pair, std::uint64_t bytes) {
  std::vector<DesignPoint> points;
  for (const Protocol p : all_protocols)
    for (const std::uint32_t slots : {1u, 2u, 4u, 8u, 16u, 32u})
      for (const std::uint32_t size : {1024u, 4096u, 16384u, 65536u}) {
        IpcqConfig q = queues;
        q.protocol = p, q.n_slots = slots, q.slot_size = size;
        const HardwareCost cost = hardware_cost(q, hardware);
        if (cost.ring_bytes > static_cast<std::uint64_t>(spec.ipcq_bytes.count())) continue;
        const auto messages = static_cast<int>((bytes + size - 1) / size);
        const Transfer done =
            measure_transfer(t, spec, q, pair.from, pair.to, std::min<std::uint64_t>(size, bytes), messages);
        points.push_back({p, slots, size, done.total, cost.adr_mm2 + cost.ring_mm2, cost.ring_bytes});
      }
  mark_front(points);
  std::stable_sort(points.begin(), points.end(), [](const DesignPoint& a, const DesignPoint& b) {
    return std::tie(a.time, a.mm2) < std::tie(b.time, b.mm2);
  });
  return points;
}

void mark_front(std::vector<DesignPoint>& points) {
  const auto beats = [](const DesignPoint& a, const DesignPoint& b) {
    return a.time <= b.time && a.mm2 <= b.mm2 && a.ring_bytes <= b.ring_bytes &&
           (a.time < b.time || a.mm2 < b.mm2 || a.ring_bytes < b.ring_bytes);
  };
  for (DesignPoint& p : points)
    p.front = std::none_of(points.begin(), points.end(), [&](const DesignPoint& other) { return beats(other, p); });
}

}  // namespace tutti::device
