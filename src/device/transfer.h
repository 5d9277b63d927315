#pragma once
#include "device/machine_spec.h"
#include "fabric/topology.h"

namespace tutti::device {

/// What queues of one configuration do between two PEs that nobody disturbs.
struct Transfer {
  Time first;                     ///< from the send until the receive of the first message returns
  Time total;                     ///< until the last slot has been given back
  double gbs = 0;                 ///< of the second half of the messages
  double packets = 0, bytes = 0;  ///< on the wires, a message: data, words, acknowledgements, credits
};

/// Sends `messages` messages of `size` bytes from PE `from` to PE `to`; with `both_ways` each sends one and receives
/// one in turn. Slots are given back as soon as they are read.
/// @throws ConfigError, ModelError  a machine or configuration that cannot be.
Transfer measure_transfer(const fabric::Topology& topology, const MachineSpec& spec, const IpcqConfig& queues,
                          std::int32_t from, std::int32_t to, std::uint64_t size, int messages, bool both_ways = false);

}  // namespace tutti::device
