#include "device/dma.h"

#include "device/flight.h"

namespace tutti::device {

sim::Process<> read_memory(Environment& env, fabric::NodeId node, sim::Name name, Address source,
                           std::span<std::byte> out, std::uint8_t channel) {
  const MemoryPart& from = env.memory.part(source);
  co_await Hop(env, node, from.node, 0, channel, "a read request (DMA)", name);
  co_await env.simulation.delay(from.read);
  co_await Hop(env, from.node, node, out.size(), channel, "data of a read (DMA)", name, source, out);
}

sim::Process<Time> write_memory(Environment& env, fabric::NodeId node, sim::Name name, Address destination,
                                std::span<std::byte> bytes, std::uint8_t channel, Address source) {
  const MemoryPart& to = env.memory.part(destination);
  co_await Hop(env, node, to.node, bytes.size(), channel, "a write (DMA)", name, source,
               source != 0 ? bytes : std::span<std::byte>());
  co_await env.simulation.delay(to.write);
  env.memory.write(destination, bytes);
  const Time visible = env.simulation.now();
  co_await Hop(env, to.node, node, 0, channel, "an acknowledgement (DMA)", name);
  co_return visible;
}

sim::Process<> touch_read(Environment& env, fabric::NodeId node, sim::Name name, Address source, std::uint64_t bytes,
                          std::uint8_t channel) {
  const MemoryPart& from = env.memory.part(source);
  co_await Hop(env, node, from.node, 0, channel, "a read request (DMA)", name);
  co_await env.simulation.delay(from.read);
  co_await Hop(env, from.node, node, bytes, channel, "data of a read (DMA)", name);
}

sim::Process<> touch_write(Environment& env, fabric::NodeId node, sim::Name name, Address destination,
                           std::uint64_t bytes, std::uint8_t channel) {
  const MemoryPart& to = env.memory.part(destination);
  co_await Hop(env, node, to.node, bytes, channel, "a write (DMA)", name);
  co_await env.simulation.delay(to.write);
  co_await Hop(env, to.node, node, 0, channel, "an acknowledgement (DMA)", name);
}

}  // namespace tutti::device
