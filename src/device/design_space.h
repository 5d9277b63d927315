#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "device/hardware_cost.h"
#include "device/transfer.h"

namespace tutti::device {

/// Names of protocols as ccl.yaml writes them, in the order of Protocol.
inline constexpr std::string_view protocol_names[] = {"ipcq", "doorbell", "message_queue", "completion_queue",
                                                      "credit_in_data"};
constexpr std::string_view name(Protocol p) { return protocol_names[static_cast<std::size_t>(p)]; }

/// Two PEs and how far apart they are: "in a cube", "cube to cube", "SIP to SIP".
struct Pair {
  std::string_view distance;
  std::int32_t from, to;
};
/// The pairs that a machine has, nearest first: PE 0 and the next PE, the first of the next cube, of the next SIP.
std::vector<Pair> distances(const fabric::Topology& topology);

/// One protocol between one pair of PEs, the verdicts of ADR-0023 D23 in numbers.
struct ProtocolRow {
  Pair pair;
  Protocol protocol;
  Time latency;                   ///< of 64 B, from send to the return of recv
  double times = 1;               ///< latency / that of the IPCQ
  double gbs = 0;                 ///< of messages that fill a slot, one way
  double packets = 0, bytes = 0;  ///< a message of 64 B of an exchange both ways
  double mm2 = 0;                 ///< logic of a PE
  std::uint64_t ring_bytes = 0;
};
std::vector<ProtocolRow> compare_protocols(const fabric::Topology& topology, const MachineSpec& spec,
                                           const IpcqConfig& queues, const HardwareParameters& hardware);

/// What n_slots do to one queue pair, as predicted: n_slots x slot_size for each round trip of data and credit, at most
/// the narrowest link.
struct SlotRow {
  std::uint32_t n_slots;
  double predicted_gbs, measured_gbs;
};
/// Messages that fill a slot, one way between the pair, credits posted. The round trip is that of one message measured
/// with one slot.
std::vector<SlotRow> slots_against_rate(const fabric::Topology& topology, const MachineSpec& spec,
                                        const IpcqConfig& queues, Pair pair, const std::vector<std::uint32_t>& n_slots);

/// One choice of protocol and rings for moving `bytes` between a pair.
struct DesignPoint {
  Protocol protocol;
  std::uint32_t n_slots, slot_size;
  Time time;                 ///< until the last message has been received and given back
  double mm2;                ///< logic and rings of a PE
  std::uint64_t ring_bytes;  ///< of the TCM
  bool front = false;        ///< no other point is at least as good in time, area and TCM, and better in one
};
/// All protocols with n_slots 1 to 32 and slots of 1 to 64 KiB whose rings fit the region; ordered by time, then area.
std::vector<DesignPoint> design_space(const fabric::Topology& topology, const MachineSpec& spec,
                                      const IpcqConfig& queues, const HardwareParameters& hardware, Pair pair,
                                      std::uint64_t bytes);
/// Sets `front`.
void mark_front(std::vector<DesignPoint>& points);

}  // namespace tutti::device
