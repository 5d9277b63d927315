#pragma once
#include <span>

#include "device/environment.h"
#include "sim/name.h"
#include "sim/process.h"

namespace tutti::device {

/// Reads `out.size()` bytes at `source` over the fabric into the DMA at `node`: request, read latency of the memory,
/// then the data on `channel`. The bytes are those at the moment when the first one leaves the memory.
/// Time alone: path(node, memory, 0) + read + path(memory, node, size).
/// @param name  of the PE, for reports; outlives the wait.
sim::Process<> read_memory(Environment& env, fabric::NodeId node, sim::Name name, Address source,
                           std::span<std::byte> out, std::uint8_t channel);

/// The time of such a read or write, without its bytes: for tiles whose data an operation moves as a whole.
sim::Process<> touch_read(Environment& env, fabric::NodeId node, sim::Name name, Address source, std::uint64_t bytes,
                          std::uint8_t channel);
sim::Process<> touch_write(Environment& env, fabric::NodeId node, sim::Name name, Address destination,
                           std::uint64_t bytes, std::uint8_t channel);

/// Writes `bytes` to `destination` over the fabric and waits for the acknowledgement (non-posted).
/// Time alone: path(node, memory, size) + write + path(memory, node, 0). With `source` not 0 the bytes are read from
/// there when the first one leaves.
/// @return when the bytes became visible.
sim::Process<Time> write_memory(Environment& env, fabric::NodeId node, sim::Name name, Address destination,
                                std::span<std::byte> bytes, std::uint8_t channel, Address source = 0);

}  // namespace tutti::device
